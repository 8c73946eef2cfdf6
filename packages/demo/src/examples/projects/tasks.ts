/**
 * Factories for tasks and bugs, and their example calls. `$task` is the ID of a shared record, and `$task!` the ID of a
 * record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

const inProject = async (
  recorder: ExampleRecorder,
  operation: string,
  variable: string,
  title: string,
): Promise<Row> => {
  const { id: project_id } = await recorder.shared('project');
  const made = await recorder.call(operation, { path: { [variable]: project_id }, body: { title } });
  return { ...made, project_id };
};
const task: ExampleFactory = (recorder, serial) =>
  inProject(recorder, 'tasks.create', 'id', `Draft the landing page (${serial})`);
const bug: ExampleFactory = (recorder, serial) =>
  inProject(recorder, 'bugs.create', 'project_id', `The search finds nothing (${serial})`);
const comment =
  (operation: string, kind: 'task' | 'bug'): ExampleFactory =>
  async (recorder) => {
    const path = { [`${kind}_id`]: (await recorder.shared(kind)).id };
    return await recorder.call(operation, { path, body: { body: 'Looks good to me.' } });
  };

export const tasks: Record<string, ExampleFactory> = {
  task,
  bug,
  task_subtask: async (recorder, serial) => {
    const { id } = await recorder.shared('task');
    return await recorder.call('taskSubtasks.create', {
      path: { task_id: id },
      body: { name: `Ask a colleague ${serial}` },
    });
  },
  comment: comment('comments.addToTask', 'task'),
  bug_comment: comment('comments.addToBug', 'bug'),
  later_project: (recorder, serial) => recorder.call('projects.create', { body: { name: `Next year ${serial}` } }),
};

const taskDetails = { priority: 'high', due_date: '2026-12-15', tags: ['web'] };
const body = { body: 'Please look at the second page again.' };

export const taskCalls: Record<string, ExampleCall> = {
  'tasks.board': { path: { id: '$project' }, query: { per_column: '2' } },
  'tasks.create': {
    path: { id: '$project' },
    body: { title: 'Draft the landing page', ...taskDetails, subtasks: [{ name: 'Collect what is there' }] },
  },
  'tasks.update': {
    path: { id: '$task!.project_id', task_id: '$task!' },
    body: { title: 'Draft and review the landing page', estimate_minutes: 240 },
  },
  'tasks.remove': { path: { project_id: '$task!.project_id', task_id: '$task!' } },
  'tasks.move': { path: { task_id: '$task!' }, body: { project_id: '$later_project' } },
  'tasks.watch': { path: { task_id: '$task!' }, body: { watching: true } },
  'taskSubtasks.create': { path: { task_id: '$task!' }, body: { name: 'Ask a colleague', due: '2026-12-10' } },
  'taskSubtasks.update': { path: { subtask_id: '$task_subtask!' }, body: { done: true } },
  'taskSubtasks.remove': { path: { subtask_id: '$task_subtask!' } },
  'bugs.create': {
    path: { project_id: '$project' },
    body: { title: 'The search finds nothing', severity: 'major', steps: 'Search for "bicycle".' },
  },
  'bugs.watch': { path: { bug_id: '$bug!' }, body: { watching: true } },
  'bugs.list': { path: { project_id: '$project' } },
  'bugs.update': { path: { project_id: '$bug!.project_id', bug_id: '$bug!' }, body: { severity: 'critical' } },
  'bugs.remove': { path: { project_id: '$bug!.project_id', bug_id: '$bug!' } },
  'comments.addToTask': { path: { task_id: '$task!' }, body },
  'comments.addToBug': { path: { bug_id: '$bug!' }, body },
  'comments.update': { path: { comment_id: '$comment!' }, body: { body: 'Looks very good to me.' } },
  'comments.removeFromTask': { path: { comment_id: '$comment!' } },
  'comments.removeFromBug': { path: { id: '$bug_comment!' } },
  'lightTasks.listOfProject': { path: { project: '$project' } },
  'lightTasks.list': { body: { project_id: '$project', per_page: 2 } },
  'lightTasks.details': { body: { id: '$task' } },
  'lightTasks.save': { body: { project_id: '$project', title: 'Publish the price list', external_id: 'SHOP-17' } },
  'lightTasks.remove': { body: { id: '$task!' } },
  'lightTasks.move': { body: { task_id: '$task!', stage_id: '$task!.stage_id', position: 0 } },
  'lightTasks.board': { body: { project_id: '$project', per_column: 2 } },
};
