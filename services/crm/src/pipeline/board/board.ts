/** Board: the stages of a pipeline as columns, leads or deals as cards. The same rules apply to both kinds. */
import type { Sql } from '@suite/chassis/database';
import type { FaultMaker } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import type { Db } from '../../operations.ts';

export type RecordKind = 'lead' | 'deal';
export type StageType = 'open' | 'ongoing' | 'on_hold' | 'won' | 'lost';

/** Status of the cards in a stage. */
export type CardOutcome = 'open' | 'won' | 'lost';

/** Differences between the lead board and the deal board. */
export interface Board {
  kind: RecordKind;
  /** Status in which a card cannot be changed, and its fault. Undefined if cards are never locked. */
  closed?: { status: Card['status']; fault: FaultMaker };
  /** Returns the status of a card in a stage of this type. */
  outcomeOf(type: StageType): CardOutcome;
  /** Sets the status of a card for its new stage, with the other changed columns. */
  settle(db: Db, id: string, outcome: CardOutcome, patch: object): Promise<unknown>;
  /** Condition for cards on the board. Converted leads are not on the board. */
  onShow: Sql;
  /** Returns the metrics of a column as computed columns of the stage. */
  figures(caller: Caller): Record<string, Sql>;
  announceMove(emit: Emit, id: string, from_stage_id: string, to_stage_id: string): void;
  announceOutcome(db: Db, emit: Emit, id: string, outcome: CardOutcome, reason: string | undefined): Promise<void>;
}

/** Returns the names of a board's tables, and of the column that references a card. */
export const namesOf = ({ kind }: { kind: RecordKind }) => ({
  cards: `${kind}s` as const,
  stages: `${kind}_stages` as const,
  key: `${kind}_id` as const,
});

/**
 * Returns the table of a board's stages. Both kinds have the same columns except `probability`. The type cast is
 * confined to this function.
 */
export const stagesOf = (db: Db, { kind }: { kind: RecordKind }): Db['leadStage'] =>
  kind === 'lead' ? db.leadStage : (db.dealStage as unknown as Db['leadStage']);

/** Returns the table of a board's cards, typed by the columns that both kinds share. */
export const cardsOf = (db: Db, { kind }: { kind: RecordKind }): Db['lead'] =>
  kind === 'lead' ? db.lead : (db.deal as unknown as Db['lead']);

export interface Card {
  id: string;
  pipeline_id: string;
  stage_id: string;
  status: CardOutcome | 'converted';
  version: number;
}

export interface Stage {
  id: string;
  pipeline_id: string;
  name: string;
  type: StageType;
}

/** Rejects changes to a closed card. */
export function assertCardOpen({ closed }: Board, { status }: Card): void {
  if (closed?.status === status) throw closed.fault();
}

/** Returns the faults that `assertCardOpen` throws. */
export const faultsOf = ({ closed }: Board): FaultMaker[] => (closed ? [closed.fault] : []);
