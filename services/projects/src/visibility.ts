import {
  allOf,
  anyOf,
  follows,
  isActor,
  linkedBy,
  hidden,
  refersTo,
  sees,
  staffAnd,
  staffOnly,
  visibility,
} from '@suite/chassis/visibility';

/** Clients see the items shared with them, in their projects. */
const sharedWithClient = (table: string) => allOf(`${table}.client_visible`, refersTo('project_id', 'projects'));
const inProject = (table: string, client: Parameters<typeof allOf>[0] = 'FALSE') =>
  visibility(table, { noun: 'project', gated: false, limited: refersTo('project_id', 'projects'), client });
/** Condition: the caller manages the project that the column references. */
const managed = linkedBy('project_members', { record: 'project_id', user: 'manager_id', column: 'project_id' });
const followsItem = (table: string) => follows(table, { item_id: 'work_items' });

/** Visibility rules of projects: by membership. Users who see all projects see all records in them. */
export const visibilityRules = [
  visibility('projects', {
    noun: 'project',
    gated: false,
    limited: anyOf(
      linkedBy('project_members', { record: 'project_id', user: 'user_id' }),
      "projects.visibility = 'workspace'",
    ),
    client: allOf(linkedBy('project_clients', { record: 'project_id', user: 'user_id' }), 'NOT projects.is_template'),
  }),
  follows('project_codes', { project_id: 'projects' }, { outsiders: true }),
  // Clients see the managers of their project, and the other clients of their company in it.
  inProject('project_members', allOf("project_members.role = 'manager'", refersTo('project_id', 'projects'))),
  inProject(
    'project_clients',
    allOf(
      anyOf(
        isActor('user_id'),
        linkedBy('project_clients', { record: 'customer_id', user: 'user_id', column: 'customer_id' }),
      ),
      refersTo('project_id', 'projects'),
    ),
  ),
  inProject('milestones', sharedWithClient('milestones')),
  // Clients see the items shared with them, and the bugs that they reported.
  inProject(
    'work_items',
    allOf(anyOf('work_items.client_visible', isActor('reporter_id')), refersTo('project_id', 'projects')),
  ),
  follows('assignees', { item_id: 'work_items' }, { outsiders: true }),
  ...['watchers', 'blockers', 'stage_changes'].map(followsItem),
  follows('subtasks', { item_id: 'work_items' }, { outsiders: true }),
  visibility('comments', {
    noun: 'project',
    gated: false,
    limited: refersTo('item_id', 'work_items'),
    client: allOf("comments.visibility = 'client'", refersTo('item_id', 'work_items')),
  }),
  inProject('files', allOf(anyOf('files.client_visible', isActor('created_by')), refersTo('project_id', 'projects'))),
  // Clients do not see the history of records that are no longer shared with them.
  inProject(
    'activities',
    allOf(
      'activities.client_visible',
      refersTo('project_id', 'projects'),
      anyOf(
        "activities.object_type = 'project'",
        refersTo('object_id', 'work_items'),
        refersTo('object_id', 'milestones'),
        refersTo('object_id', 'comments'),
        refersTo('object_id', 'files'),
      ),
    ),
  ),
  ...['retired_numbers', 'scope_changes', 'member_time', 'project_expenses'].map((table) => inProject(table)),
  // The workspace's own stages are a template that all staff read. Clients read the stages of cards that they see.
  visibility('stages', {
    noun: 'project',
    gated: false,
    limited: anyOf('stages.project_id IS NULL', refersTo('project_id', 'projects')),
    client: allOf(refersTo('project_id', 'projects'), refersTo('id', 'work_items', 'stage_id')),
  }),
  // Clients see the staff, and the other clients of their company in a project.
  staffAnd('users', {
    client: anyOf("users.kind IN ('owner', 'staff')", isActor('id'), refersTo('id', 'project_clients', 'user_id')),
  }),
  // Time is visible to its user, to managers of the project and to users who may see all time.
  visibility('time_entries', {
    noun: 'project',
    gated: false,
    all: anyOf(isActor('user_id'), sees('time'), managed),
    limited: anyOf(isActor('user_id'), managed, allOf(sees('time'), refersTo('project_id', 'projects'))),
  }),
  ...staffOnly('settings', 'time_rates', 'billing_runs', 'billing_attempts'),
  // Users see their own settings only, regardless of other visibility.
  visibility('notification_settings', {
    noun: 'project',
    gated: false,
    all: isActor('user_id'),
    limited: isActor('user_id'),
    client: isActor('user_id'),
  }),
  ...hidden('assigned_cards', 'discarded_files', 'notifications', 'mails'),
];
