/** Returns the environment that podman, buildah and npm inherit: paths, the home folder and proxies. */
export const inheritedEnvironment = (): Record<string, string | undefined> => ({ ...process.env });
