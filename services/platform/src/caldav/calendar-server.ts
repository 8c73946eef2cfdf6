/** A calendar server, called as one of its users. */
import type { Outgoing, OutgoingAnswer } from '@suite/outgoing';
import { ServerRefused } from '../integrations/server-refused.ts';
import { type Multistatus, readMultistatus } from './multistatus.ts';

/** A server, and as whom it is called. */
export interface CalendarServer {
  outgoing: Outgoing;
  workspace_id: string;
  username: string;
  password: string;
}

/** A request to a calendar server. */
export interface DavRequest {
  url: string;
  method: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const XML = 'application/xml; charset=utf-8';

/** Calls a server, whatever it answers. */
export async function callServer(
  { outgoing, workspace_id, username, password }: CalendarServer,
  { url, method, headers, body }: DavRequest,
): Promise<OutgoingAnswer> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': XML };
  return await outgoing.call(workspace_id, {
    url,
    method,
    headers: { authorization, 'user-agent': 'Suite', ...type, ...headers },
    ...(body !== undefined && { body }),
  });
}

/** The refusal that an answer is. */
export function refusedWith({ status, headers }: OutgoingAnswer): ServerRefused {
  const sentence =
    status === 401
      ? 'The server does not accept the name and the password.'
      : status >= 300 && status < 400
        ? 'The server sends elsewhere, which is not followed.'
        : `The server answers with ${status}.`;
  return new ServerRefused(sentence, status, headers['retry-after']);
}

/** Asks for a multistatus. @throws ServerRefused, OutgoingFailure */
export async function askMultistatus(server: CalendarServer, request: DavRequest): Promise<Multistatus> {
  const answer = await callServer(server, request);
  if (answer.status !== 207) throw refusedWith(answer);
  return await readMultistatus(answer.text());
}

/** The path of an address with each part written in one way, so that addresses can be compared. */
function plainPath(path: string): string | undefined {
  try {
    return path
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    return undefined;
  }
}

/**
 * The address that a server names, in the answer at another one. @returns undefined for one on another host: our user has given
 * the password to this one
 */
export function addressIn(href: string, at: string): string | undefined {
  if (!href || !URL.canParse(href, at)) return undefined;
  const [url, base] = [new URL(href, at), new URL(at)];
  const path = plainPath(url.pathname);
  return url.origin === base.origin && path !== undefined ? url.origin + path : undefined;
}

/** The path of an entry of a calendar. @returns undefined for what is no entry right in it */
export function entryIn(calendar_url: string, href: string): string | undefined {
  const address = addressIn(href, calendar_url);
  if (!address?.startsWith(calendar_url)) return undefined;
  const name = address.slice(calendar_url.length);
  return name === '' || name.includes('/') ? undefined : new URL(address).pathname;
}

/** The address of a path at the server of a calendar. */
export const urlOf = (calendar_url: string, path: string): string => new URL(calendar_url).origin + path;

/** The address of a collection: it ends with a slash. */
export const asCollection = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
