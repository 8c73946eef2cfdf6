/** Events of tasks and bugs. */
import type { Emit } from '@suite/chassis/operations';
import {
  BugAssigned,
  BugCreated,
  BugResolved,
  BugStageChanged,
  TaskAssigned,
  TaskCompleted,
  TaskCreated,
  TaskStageChanged,
} from '@suite/proto/projects/v1/events';
import { isClosedGroup, type WorkItemKind } from './card.rules.ts';

interface AnnouncedItem {
  id: string;
  kind: WorkItemKind;
  project_id: string;
}

export function announceCreation(
  emit: Emit,
  {
    id,
    kind,
    severity,
    ...rest
  }: AnnouncedItem & {
    key: string;
    title: string;
    stage_id: string;
    assignee_ids: string[];
    severity: string | undefined;
  },
): void {
  if (kind === 'task') emit(TaskCreated, { task_id: id, ...rest });
  else emit(BugCreated, { bug_id: id, severity: severity ?? '', ...rest });
}

export function announceAssignment(emit: Emit, { id, kind, project_id }: AnnouncedItem, user_ids: string[]): void {
  if (user_ids.length === 0) return;
  if (kind === 'task') emit(TaskAssigned, { task_id: id, project_id, user_ids });
  else emit(BugAssigned, { bug_id: id, project_id, user_ids });
}

/** Emits the events of a stage change. */
export function announceStep(
  emit: Emit,
  { id, kind, project_id }: AnnouncedItem,
  from: { stage_id: string; group: string },
  to: { stage_id: string; group: string; resolution?: string | null },
): void {
  const step = {
    project_id,
    from_stage_id: from.stage_id,
    to_stage_id: to.stage_id,
    from_group: from.group,
    to_group: to.group,
  };
  if (kind === 'task') {
    emit(TaskStageChanged, { task_id: id, ...step });
    if (to.group === 'completed' && from.group !== 'completed') emit(TaskCompleted, { task_id: id, project_id });
    return;
  }
  emit(BugStageChanged, { bug_id: id, ...step });
  if (isClosedGroup(to.group) && to.group !== from.group)
    emit(BugResolved, { bug_id: id, project_id, resolution: to.resolution ?? '' });
}
