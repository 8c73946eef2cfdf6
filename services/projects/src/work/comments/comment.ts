/** Comments on tasks and bugs, for the team, or for the team and the clients of the project. */
import { change, find } from '@suite/chassis/database';
import { Forbidden, NotFound } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import { type AccessibleProject, findProject } from '../access/access.ts';
import { assertActive, assertRole, WrongProjectRole } from '../access/project.rules.ts';
import { recordActivities } from '../activities/activity.ts';
import type { CommandContext } from '../../operations.ts';
import { mentionedUsers, newlyMentioned } from '../notifications/mention.rules.ts';
import { notify } from '../notifications/notification.ts';
import { addWatchers, watchersOf } from '../work-items/assignees.ts';
import { projectOf } from '../work-items/card.ts';
import type { WorkItemKind } from '../work-items/card.rules.ts';
import type { CommentInput } from './comment.schema.ts';
import { readComment } from './comment.view.ts';

/**
 * Enters a project for a comment. Every user who sees the project may comment, including viewers and clients. @throws
 * WrongProjectRole, ProjectArchived
 */
async function enterAsReader(context: CommandContext, project_id: string): Promise<AccessibleProject> {
  const project = await findProject(context, project_id, { lock: 'share' });
  if (context.caller.kind !== 'client') assertRole(project.role, 'viewer');
  assertActive(project);
  return project;
}

/** Adds a comment. The author then watches the item. */
export async function addComment(
  context: CommandContext,
  kind: WorkItemKind,
  item_id: string,
  { body, visibility = 'team' }: CommentInput,
) {
  const { db, caller } = context;
  const project_id = await projectOf(db, kind, item_id);
  const project = await enterAsReader(context, project_id);
  const item = await find(db.workItem, item_id);
  await upsertUserCopies(db, [userOf(caller)]);
  const shown = caller.kind === 'client' ? 'client' : visibility;
  const { id } = await db.comment.create({ data: { item_id, author_id: caller.user_id, visibility: shown, body } });
  await addWatchers(db, item_id, [caller.user_id]);
  await recordActivities(db, [
    {
      project_id,
      verb: 'commented',
      object: { type: 'comment', id, label: `${project.code}-${item.number} ${item.title}` },
      client_visible: shown === 'client' && item.client_visible,
    },
  ]);
  const about = { item_id, comment_id: id };
  await notify(db, caller.user_id, [
    { kind: 'mention', ...about, user_ids: mentionedUsers(body) },
    { kind: 'comment', ...about, user_ids: await watchersOf(db, item_id) },
  ]);
  return await readComment({ db, caller, kind }, id);
}

/**
 * Finds a comment to change, with the kind of its card and its project.
 * @param kind for operations that apply to one kind only
 */
async function enterComment(context: CommandContext, id: string, kind?: WorkItemKind) {
  const { db, caller } = context;
  const comment = await find(db.comment, id);
  const item = await find(db.workItem, comment.item_id);
  if (kind && item.kind !== kind) throw NotFound();
  const permission = `${item.kind}.view`;
  if (!caller.permissions.includes(permission)) throw Forbidden({ permission });
  const project = await enterAsReader(context, item.project_id);
  if (comment.deleted_at) throw NotFound();
  return { comment, item, project };
}

/** Updates the text of a comment. Only the author can. @throws WrongProjectRole */
export async function updateComment(context: CommandContext, id: string, body: string) {
  const { db, caller } = context;
  const { comment, item } = await enterComment(context, id);
  if (comment.author_id !== caller.user_id) throw WrongProjectRole({ needs: 'author' });
  if (comment.body !== body) {
    await change(db.comment, id, { body, edited_at: clock.now() });
    const user_ids = newlyMentioned(comment.body, body);
    await notify(db, caller.user_id, [{ kind: 'mention', item_id: comment.item_id, comment_id: id, user_ids }]);
  }
  return await readComment({ db, caller, kind: item.kind as WorkItemKind }, id);
}

/**
 * Clears the text of a comment, which remains in the list. Only the author and managers can. @throws WrongProjectRole
 */
export async function removeComment(context: CommandContext, kind: WorkItemKind, id: string): Promise<{ id: string }> {
  const { db, caller } = context;
  const { comment, item, project } = await enterComment(context, id, kind);
  if (comment.author_id !== caller.user_id) assertRole(project.role, 'manager');
  await change(db.comment, id, { body: null, deleted_at: clock.now() });
  await recordActivities(db, [
    {
      project_id: item.project_id,
      verb: 'deleted',
      object: { type: 'comment', id, label: `${project.code}-${item.number} ${item.title}` },
      client_visible: comment.visibility === 'client' && item.client_visible,
    },
  ]);
  return { id };
}
