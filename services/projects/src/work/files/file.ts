/**
 * Files of projects. Members add files, and clients add files to their own comments. The uploader or a manager deletes
 * them.
 */
import { find, remove } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { StoredFile } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { findProject } from '../access/access.ts';
import { assertActive, assertRole } from '../access/project.rules.ts';
import { recordActivities } from '../activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import type { FileInput } from './file.schema.ts';

/** Record that a file belongs to, in addition to its project. */
interface FileOwner {
  item_id: string | null;
  comment_id: string | null;
  client_visible: boolean;
}

async function subjectOfItem(db: Db, project_id: string, kind: 'task' | 'bug', id: string): Promise<FileOwner> {
  const item = await db.workItem.findFirst({ where: { id, project_id, kind } });
  if (!item) throw invalid(`${kind}_id`, `Choose a ${kind} of this project.`);
  return { item_id: id, comment_id: null, client_visible: false };
}

/** Returns the comment that a file belongs to. Users who see the comment see the file. */
async function subjectOfComment(db: Db, caller: Caller, project_id: string, id: string): Promise<FileOwner> {
  const comment = await db.comment.findFirst({ where: { id, deleted_at: null, item: { project_id } } });
  const isOwn = caller.kind !== 'client' || comment?.author_id === caller.user_id;
  if (!comment || !isOwn) throw invalid('comment_id', 'Comment not found in this project.');
  return { item_id: comment.item_id, comment_id: id, client_visible: comment.visibility === 'client' };
}

/** Returns the record that the file belongs to. @throws a 422 if it is not in the project */
async function subjectOf(
  db: Db,
  caller: Caller,
  { project_id, task_id, bug_id, comment_id }: FileInput,
): Promise<FileOwner> {
  if (task_id) return await subjectOfItem(db, project_id, 'task', task_id);
  if (bug_id) return await subjectOfItem(db, project_id, 'bug', bug_id);
  if (comment_id) return await subjectOfComment(db, caller, project_id, comment_id);
  return { item_id: null, comment_id: null, client_visible: false };
}

/** Saves an uploaded file. @throws WrongProjectRole, ProjectArchived */
export async function addFile(context: CommandContext, input: FileInput, { key, name, size, mime }: StoredFile) {
  const { db, caller } = context;
  const { project_id } = input;
  const projectNotFound = () => invalid('project_id', 'Project not found.');
  const project = await findProject(context, project_id, { lock: 'share', absent: projectNotFound });
  const isClientsComment = caller.kind === 'client' && input.comment_id !== undefined;
  if (!isClientsComment) assertRole(project.role, 'member');
  assertActive(project);
  const subject = await subjectOf(db, caller, input);
  // Chosen: a file of a comment has the visibility of the comment, regardless of the form.
  const client_visible = subject.comment_id ? subject.client_visible : (input.client_visible ?? false);
  const file = await db.file.create({ data: { ...subject, project_id, key, name, size, mime, client_visible } });
  await recordActivities(db, [
    { project_id, verb: 'added', object: { type: 'file', id: file.id, label: name }, client_visible },
  ]);
  return file;
}

/** Deletes a file. @throws WrongProjectRole if the caller neither uploaded it nor manages the project */
export async function removeFile(context: CommandContext, id: string): Promise<{ id: string }> {
  const { db, caller } = context;
  const file = await find(db.file, id);
  const { project_id, name, client_visible } = file;
  const project = await findProject(context, project_id, { lock: 'share', absent: NotFound });
  if (file.created_by !== caller.user_id) assertRole(project.role, 'manager');
  assertActive(project);
  await recordActivities(db, [
    { project_id, verb: 'removed', object: { type: 'file', id, label: name }, client_visible },
  ]);
  return await remove(db.file, id);
}
