/** Client of a Mastodon-compatible social server. */
import { Url } from '@suite/chassis/fields';
import type { Outgoing, OutgoingRequest } from '@suite/outbound-http';
import { sanitizeText } from '../../connections/integrations/sanitize-text.ts';
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';

/** Requested scopes: read the account and post. */
export const SCOPES = 'read:accounts write:statuses write:media';

/** Calendar server with the credentials of a user. */
export interface SocialServer {
  outgoing: Outgoing;
  workspace_id: string;
  server_url: string;
  access_token?: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseJson(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

interface ServerRequest extends Omit<OutgoingRequest, 'url' | 'body'> {
  json?: object;
  body?: Uint8Array;
}

/** Sends a request. @throws ServerRejection for an error status, OutgoingFailure */
async function callServer(
  { outgoing, workspace_id, server_url, access_token }: SocialServer,
  path: string,
  { json, body, headers, ...request }: ServerRequest = {},
): Promise<{ status: number; answer: JsonObject }> {
  const {
    status,
    headers: responseHeaders,
    ...answer
  } = await outgoing.call(workspace_id, {
    url: server_url + path,
    headers: {
      accept: 'application/json',
      ...(access_token && { authorization: `Bearer ${access_token}` }),
      ...(json && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json ? { body: JSON.stringify(json) } : body && { body }),
    ...request,
  });
  if (status >= 200 && status < 300) return { status, answer: parseJson(answer.text()) };
  const { error, error_description } = parseJson(answer.text());
  const reason = [error_description, error].find((words) => typeof words === 'string');
  const sentence = reason
    ? `The server returned ${status}: ${sanitizeText(String(reason), 200)}`
    : `The server returned ${status}.`;
  throw new ServerRejection(sentence, status, responseHeaders['retry-after']);
}

/** Returns a text field of a response. @throws ServerRejection if the field is missing */
function textIn(answer: JsonObject, field: string): string {
  const found = answer[field];
  const text = typeof found === 'string' ? sanitizeText(found, 10_000) : '';
  if (text === '') throw new ServerRejection('This is not a Mastodon server. Check the address.', 200);
  return text;
}

/** Returns the web address in a field of a response, or null. */
const addressIn = (answer: JsonObject, field: string): string | null =>
  Url.safeParse(sanitizeText(String(answer[field]), 2_001)).data ?? null;

/** Registration of the suite as an app on a server. */
export interface SocialApp {
  client_id: string;
  client_secret: string;
}

/** Registers the suite on a server. */
export async function registerApp(server: SocialServer, redirect_uri: string): Promise<SocialApp> {
  const json = { client_name: 'Suite', redirect_uris: redirect_uri, scopes: SCOPES };
  const { answer } = await callServer(server, '/api/v1/apps', { method: 'POST', json });
  return { client_id: textIn(answer, 'client_id'), client_secret: textIn(answer, 'client_secret') };
}

/** Exchanges an authorization code for a token. */
export async function exchangeCode(
  server: SocialServer,
  app: SocialApp,
  { code, code_verifier, redirect_uri }: { code: string; code_verifier: string; redirect_uri: string },
): Promise<string> {
  const json = { grant_type: 'authorization_code', ...app, code, code_verifier, redirect_uri, scope: SCOPES };
  const { answer } = await callServer(server, '/oauth/token', { method: 'POST', json });
  return textIn(answer, 'access_token');
}

/** Revokes a token. */
export async function revokeToken(server: SocialServer, app: SocialApp): Promise<void> {
  await callServer(server, '/oauth/revoke', { method: 'POST', json: { ...app, token: server.access_token } });
}

/** Name and address of an account on its server. */
export interface SocialAccountName {
  account: string;
  account_url: string | null;
}

/** Returns the account of the token. */
export async function verifyAccount(server: SocialServer): Promise<SocialAccountName> {
  const { answer } = await callServer(server, '/api/v1/accounts/verify_credentials');
  return { account: textIn(answer, 'acct'), account_url: addressIn(answer, 'url') };
}

/** Limits of a server for posts. */
export interface PostLimits {
  max_characters: number;
  characters_per_url: number;
  max_media: number;
}

const positiveIntegerIn = (answer: unknown, field: string, fallback: number): number => {
  const found = (answer as JsonObject | undefined)?.[field];
  return typeof found === 'number' && Number.isInteger(found) && found > 0 ? found : fallback;
};

/** Reads the limits of a server. Missing values default to Mastodon's limits. */
export async function readLimits(server: SocialServer): Promise<PostLimits> {
  const { answer } = await callServer(server, '/api/v2/instance');
  const { statuses } = (answer['configuration'] ?? {}) as { statuses?: unknown };
  return {
    max_characters: positiveIntegerIn(statuses, 'max_characters', 500),
    characters_per_url: positiveIntegerIn(statuses, 'characters_reserved_per_url', 23),
    max_media: Math.min(positiveIntegerIn(statuses, 'max_media_attachments', 4), 4),
  };
}

/** Image to upload, with its alternative text. */
export interface SocialMedia {
  content: Uint8Array;
  name: string;
  mime: string;
  alt: string;
}

/** Uploads an image. @returns its ID on the server, which may still be processing it */
export async function uploadMedia(server: SocialServer, { content, name, mime, alt }: SocialMedia): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)], { type: mime }), name);
  form.set('description', alt);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type')! };
  const body = new Uint8Array(await encoded.arrayBuffer());
  const { answer } = await callServer(server, '/api/v2/media', { method: 'POST', headers, body });
  return textIn(answer, 'id');
}

/** Checks that the server has processed an image. @throws ServerRejection, as for a busy server, until then */
export async function assertMediaReady(server: SocialServer, id: string): Promise<void> {
  const { status } = await callServer(server, `/api/v1/media/${encodeURIComponent(id)}`);
  if (status === 206) throw new ServerRejection('The server is still processing an image. Try again shortly.', 503);
}

/** Post in the form that the server accepts. */
export interface Publication {
  status: string;
  visibility: string;
  language?: string;
  media_ids?: string[];
}

/** Publishes a post. @param key idempotency key, identical for every attempt */
export async function publish(
  server: SocialServer,
  key: string,
  json: Publication,
): Promise<{ remote_id: string; url: string | null }> {
  const headers = { 'idempotency-key': key };
  const { answer } = await callServer(server, '/api/v1/statuses', { method: 'POST', headers, json });
  return { remote_id: textIn(answer, 'id'), url: addressIn(answer, 'url') };
}

/** Deletes a published post. A missing post counts as deleted. */
export async function unpublish(server: SocialServer, remote_id: string): Promise<void> {
  try {
    await callServer(server, `/api/v1/statuses/${encodeURIComponent(remote_id)}`, { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ServerRejection) || error.status !== 404) throw error;
  }
}
