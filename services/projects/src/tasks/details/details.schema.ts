/** Details of a task or a bug. */
import { Day, Id, inner, Timestamp } from '@suite/chassis/fields';
import { UserPortrait } from '@suite/user-copies';
import { z } from 'zod';
import { Comment } from '../../work/comments/comment.schema.ts';
import { StageGroup } from '../../work/stages/stage.schema.ts';
import { Subtask } from '../subtasks/subtask.schema.ts';
import { ChangedBug, ChangedTask } from '../../work/work-items/card.schema.ts';

/** Summary of another task or bug. */
const WorkItemLabel = z
  .object({
    id: Id,
    key: z.string(),
    title: z.string(),
    done: z.boolean().describe('Whether the item is completed or cancelled.'),
  })
  .meta({ id: 'WorkItemLabel' });
const StageStep = z
  .object({
    from_stage_id: Id.nullable(),
    from_group: StageGroup.nullable(),
    to_stage_id: Id.nullable(),
    to_group: StageGroup.nullable(),
    seconds_in_from: z.int().nullable(),
    actor_id: Id.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'StageStep' });
const AttachedFile = z
  .object({
    id: Id,
    name: z.string(),
    size: z.int(),
    mime: z.string(),
    client_visible: z.boolean(),
    created_by: Id.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AttachedFile' });

const TrackedTime = z
  .object({
    tracked_minutes: z.int().describe('Minutes tracked by all members, without running timers.'),
    mine_minutes: z.int().describe('Minutes of the caller.'),
    running: Id.nullable().describe("ID of the caller's running timer on this task or bug. `null` without one."),
    members: z.array(z.object({ user_id: Id, minutes: z.int() })).describe('Members whose time the caller can see.'),
  })
  .meta({ id: 'TrackedTime' });

const details = {
  time: inner(TrackedTime),
  subtasks: z.array(Subtask),
  comments: z.array(Comment).describe('Latest 50 comments, oldest first.'),
  comments_next: z.boolean().describe('Whether there are earlier comments.'),
  files: z.array(AttachedFile),
  blocked_by: inner(z.array(WorkItemLabel)),
  blocks: inner(z.array(WorkItemLabel)),
  hidden_blockers: inner(z.int().describe('Number of blocking items that the caller cannot see.')),
  children: z.array(WorkItemLabel.extend({ due_date: Day.nullable() })),
  watchers: inner(z.array(UserPortrait)),
  stage_history: inner(z.array(StageStep)),
};

/** Task in the response of a creation or update, with its checklist and its blocking items. */
export const SavedTask = ChangedTask.extend({ subtasks: details.subtasks, blocked_by: details.blocked_by }).meta({
  id: 'SavedTask',
});
/** Bug in the response of a creation or update, with its blocking items. */
export const SavedBug = ChangedBug.extend({ blocked_by: details.blocked_by }).meta({ id: 'SavedBug' });

export const TaskDetails = ChangedTask.omit({ over_limit: true, open_children: true })
  .extend(details)
  .meta({ id: 'TaskDetails' });
export const BugDetails = ChangedBug.omit({ over_limit: true, open_children: true })
  .extend(details)
  .meta({ id: 'BugDetails' });
