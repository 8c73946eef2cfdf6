/**
 * Factories for projects and their contents, and their example calls. `$project` is the ID of a shared record, and
 * `$project!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

const project: ExampleFactory = (recorder, serial) =>
  recorder.call('projects.create', { body: { name: `Website relaunch ${serial}`, start_date: '2026-12-01' } });

/** Creates a stage of a project for one kind of cards, in addition to the stage for new cards. */
const stage =
  (kind: 'task' | 'bug'): ExampleFactory =>
  async (recorder, serial) => {
    const { id } = await recorder.shared('project');
    const body = { project_id: id, name: `Waiting ${serial}`, group: 'started' };
    return await recorder.call(`${kind}Stages.create`, { body });
  };

const orderOf =
  (kind: 'task' | 'bug'): ExampleFactory =>
  async (recorder, serial) => {
    const { id } = await project(recorder, serial);
    const query = { project_id: id, sort: 'order', per_page: '100' };
    const stages = (await recorder.call(`${kind}Stages.list`, { query })) as unknown as Row[];
    const [a, b, c, d, e, f] = stages.map((one) => one.id);
    return { id, a, b, c, d, e, f };
  };

export const projects: Record<string, ExampleFactory> = {
  project,
  template: (recorder, serial) =>
    recorder.call('projects.create', { body: { name: `Usual website ${serial}`, is_template: true } }),
  milestone: async (recorder, serial) => {
    const { id } = await recorder.shared('project');
    return await recorder.call('milestones.create', { body: { project_id: id, title: `Design ${serial}` } });
  },
  task_stage: stage('task'),
  bug_stage: stage('bug'),
  stage: stage('task'),
  task_order: orderOf('task'),
  bug_order: orderOf('bug'),
  project_member: async (recorder) => {
    const [{ id }, user] = await Promise.all([recorder.shared('project'), recorder.shared('colleague')]);
    return await recorder.call('projectMembers.save', { body: { project_id: id, user_id: user.id } });
  },
  project_client: async (recorder) => {
    const [{ id }, user] = await Promise.all([recorder.shared('project'), recorder.shared('client')]);
    const [client] = (await recorder.call('projectClients.invite', {
      body: { project_id: id, client_id: user.id },
    })) as unknown as Row[];
    return client!;
  },
  project_file: async (recorder) => {
    const { id } = await recorder.shared('project');
    const file = await recorder.call('projectFiles.create', { body: { project_id: id } });
    return { ...file, token: String(file['url']).split('/').at(-1) };
  },
};

const inOrder = (name: string) => ['a', 'b', 'c', 'd', 'e', 'f'].map((place) => `$${name}!.${place}`);

export const projectCalls: Record<string, ExampleCall> = {
  'projects.create': {
    body: {
      name: 'Website relaunch',
      start_date: '2026-12-01',
      end_date: '2027-03-31',
      budget: '12000.00',
      tags: ['web'],
    },
  },
  'projects.show': { path: { id: '$project' } },
  'projects.update': { path: { id: '$project!' }, body: { status: 'in_progress', health: 'on_track' } },
  'projects.remove': { path: { id: '$project!' } },
  'projectMembers.save': { body: { project_id: '$project', user_id: '$person', role: 'member', hourly_rate: '80.00' } },
  'projectMembers.remove': { path: { id: '$project_member!' } },
  'projectClients.invite': { body: { project_id: '$project', client_id: '$client' } },
  'projectClients.remove': { path: { id: '$project_client!' } },
  'milestones.create': {
    body: { project_id: '$project', title: 'Design', end_date: '2026-12-20', client_visible: true },
  },
  'milestones.update': { path: { id: '$milestone!' }, body: { status: 'complete' } },
  'milestones.remove': { path: { id: '$milestone!' } },
  'taskStages.create': { body: { project_id: '$project!', name: 'Blocked', group: 'started', color: '#ef4444' } },
  'taskStages.update': { path: { id: '$task_stage!' }, body: { wip_limit: 3 } },
  'taskStages.order': { body: { project_id: '$task_order!', stage_ids: inOrder('task_order') } },
  'taskStages.remove': { path: { id: '$task_stage!' } },
  'bugStages.create': {
    body: { project_id: '$project!', name: 'On a test system', group: 'started', color: '#8b5cf6' },
  },
  'bugStages.update': { path: { id: '$bug_stage!' }, body: { wip_limit: 3 } },
  'bugStages.order': { body: { project_id: '$bug_order!', stage_ids: inOrder('bug_order') } },
  'bugStages.remove': { path: { id: '$bug_stage!' } },
  'projectFiles.create': { body: { project_id: '$project' } },
  'projectFiles.remove': { path: { id: '$project_file!' } },
  'projectFiles.download': { as: '', path: { token: '$project_file.token' } },
  'projectActivities.list': { path: { id: '$project' } },
  'projectReports.show': { path: { id: '$project' } },
  'projectSettings.update': { body: { deal_template_id: '$template' } },
  'projectNotifications.updateSettings': { body: { comment: 'at_once', due: 'none' } },
  'lightProjects.search': { body: { status: ['not_started', 'in_progress'], sort: 'name', per_page: 2 } },
  'lightProjects.details': { body: { id: '$project' } },
  'lightProjects.activity': { body: { project_id: '$project' } },
  'lightProjects.save': { body: { external_id: 'jira-7', name: 'Website relaunch', health: 'on_track' } },
  'lightProjects.updateState': { body: { id: '$project!', status: 'in_progress' } },
  'lightProjects.remove': { body: { id: '$project!' } },
  'lightProjects.addFile': { body: { project_id: '$project' } },
  'lightProjects.removeFile': { path: { id: '$project_file!' } },
};
