/** The public URL of the gateway, for absolute links in responses. */

let base = '';

/** Sets the public URL of the process, once at its start. */
export function setPublicAddress(url: string): void {
  base = url;
}

/** Returns an absolute address for a path of the gateway. Returns other addresses unchanged. */
export const absoluteUrl = (path: string): string => (path.startsWith('/') ? `${base}${path}` : path);
