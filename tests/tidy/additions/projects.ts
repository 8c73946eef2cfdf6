/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
  'POST /api/project/member/create': 'nobody could be added to a project without replacing all of its members',
  'GET /api/project/file/download/{token}': 'files are handed out by short-lived links',
  'GET /api/project/activity/{id}': 'the history of a project would show its last lines only',
  'GET /api/project/settings': 'what becomes of blocked tasks and won deals is a choice of the workspace',
  'POST /api/project/settings/update': 'what becomes of blocked tasks and won deals is a choice of the workspace',
};
