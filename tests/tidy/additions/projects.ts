/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {
  'DELETE /api/project/task-subtask/delete/{subtask_id}': 'a line of a checklist can be deleted',
  'POST /api/project/comment/update/{comment_id}': 'the author of a comment can correct it',
  'POST /api/project/task/move/{task_id}': 'a task can go to another project, and keeps its history',
  'POST /api/project/task/watch/{task_id}': 'people choose what they are told of',
};
