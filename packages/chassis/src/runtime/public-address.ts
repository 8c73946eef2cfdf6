/** The address at which clients reach the gateway, for absolute links in responses. */

let base = '';

/** Sets the address of the process, once at its start. */
export function setPublicAddress(url: string): void {
  base = url.replace(/\/+$/, '');
}

/** Returns an absolute address for a path of the gateway; other addresses stay as they are. */
export const absoluteUrl = (path: string): string => (path.startsWith('/') ? `${base}${path}` : path);
