/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
  'POST /api/project/member/create': 'nobody could be added to a project without replacing all of its members',
  'GET /api/project/file/download/{token}': 'files are handed out by short-lived links',
  'GET /api/project/activity/{id}': 'the history of a project would show its last lines only',
  'GET /api/project/settings': 'what becomes of blocked tasks and won deals is a choice of the workspace',
  'POST /api/project/settings/update': 'what becomes of blocked tasks and won deals is a choice of the workspace',
  'DELETE /api/project/task-subtask/delete/{subtask_id}': 'a line of a checklist can be deleted',
  'POST /api/project/comment/update/{comment_id}': 'the author of a comment can correct it',
  'POST /api/project/task/move/{task_id}': 'a task can go to another project, and keeps its history',
  'POST /api/project/task/watch/{task_id}': 'people choose what they are told of',
};
