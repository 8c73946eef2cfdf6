/** Path of a card through the stages, with its history and first timeline entries. */
import type { RecordKind, CardOutcome, Stage } from '../pipeline/board/board.ts';
import { timelineSubjectOf } from '../pipeline/board/timeline.ts';
import type { DemoRows } from './demo-rows.ts';
import { randomMoment, randomNumber } from '@suite/demo';

export interface StageStep {
  stage: Stage;
  at: Date;
}

/** Final status of a card: its outcome, or on hold. */
export type FinalStatus = CardOutcome | 'on_hold';

/** Returns the stages that a card passes until its end. The number of earlier stages is random. */
export function stagePath(stages: readonly Stage[], end: FinalStatus, whole = false): Stage[] {
  const line = stages.filter(({ type }) => type === 'open' || type === 'ongoing');
  const last = stages.filter(({ type }) => type === end && end !== 'open');
  const reached = whole || end === 'won' ? line.length : randomNumber(1, line.length);
  return [...line.slice(0, reached), ...last.slice(0, 1)];
}

/** Returns the times for a path that starts at `begun` and reaches the last stage at `arrived`. */
export function stageSteps(path: readonly Stage[], begun: Date, arrived: Date): StageStep[] {
  const between = path.slice(2).map(() => randomMoment(begun, arrived));
  const times = [begun, ...between.toSorted((a, b) => a.getTime() - b.getTime()), arrived];
  return path.map((stage, index) => ({ stage, at: times[index] as Date }));
}

/** Card whose creation and moves are recorded. */
interface CardHistory {
  kind: RecordKind;
  id: string;
  name: string;
  /** User who created the card. Null if no user did. */
  maker: string | null;
  /** User who moved the card. */
  by: string;
  lost_reason: string | null;
}

/** Records the path of a card to its current stage. */
export function recordStageHistory(
  rows: DemoRows,
  { kind, id, name, maker, by, lost_reason }: CardHistory,
  steps: readonly StageStep[],
): void {
  const subject = timelineSubjectOf(kind, id);
  for (const [index, { stage, at }] of steps.entries()) {
    const before = steps[index - 1];
    const { id: to_stage_id, name: to_name } = stage;
    const from = before && {
      from_stage_id: before.stage.id,
      from_name: before.stage.name,
      seconds_in_from: Math.floor((at.getTime() - before.at.getTime()) / 1_000),
    };
    const actor_id = before ? by : maker;
    rows.stage_changes.push({ ...subject, ...from, to_stage_id, to_name, by: actor_id, at });
    const move = { from_stage_id: before?.stage.id, to_stage_id, stage: to_name };
    const ended = stage.type === 'won' || stage.type === 'lost' ? stage.type : 'moved';
    rows.activities.push({
      ...subject,
      actor_id,
      at,
      ...(before
        ? { type: ended, payload: ended === 'lost' ? { ...move, lost_reason } : move }
        : { type: 'created', payload: { name, stage: to_name } }),
    });
  }
}
