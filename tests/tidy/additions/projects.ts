/** Routes of projects that the specification does not list, each with its reason. */
export const ofProjects: Readonly<Record<string, string>> = {};
