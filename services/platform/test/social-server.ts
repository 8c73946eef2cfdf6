/** Fake of a Mastodon-compatible server, as strict as the real one where relevant. */
import { createHash, randomUUID } from 'node:crypto';
import { type FakeResponse, type FakeRequest, type FakeServer, fakeServer } from './fake-server.ts';

interface Status {
  id: string;
  status: string;
  visibility: string;
  language: string | undefined;
  media_ids: string[];
}

/** Fake social server, with its contents and behaviour. */
export interface FakeSocialServer extends FakeServer {
  apps: Map<string, { client_secret: string; redirect_uri: string }>;
  tokens: Set<string>;
  statuses: Map<string, Status>;
  media: Map<string, string>;
  /** Responses sent in sequence instead of the fake's own. */
  queued_responses: FakeResponse[];
  /** Number of times that an image is reported as being processed. */
  busy_with_media: number;
  /** Called once before the server responds to a new post. */
  meanwhile?: (() => Promise<unknown>) | undefined;
  /** Allows the access that a URL requests, as its user would. @returns the parameters of the redirect */
  allow(authorize_url: string): URLSearchParams;
}

const rejection = (status: number, error: string): FakeResponse => ({ status, json: { error } });

type Routes = Record<string, (request: FakeRequest, body: Record<string, string>) => FakeResponse>;

/** Returns the part of the server that registers apps and authorizes them. */
function authorizationRoutes(apps: FakeSocialServer['apps'], tokens: Set<string>) {
  const codes = new Map<string, { client_id: string; challenge: string; redirect_uri: string }>();
  const isKnown = ({ client_id = '', client_secret }: Record<string, string>) => {
    const app = apps.get(client_id);
    return app !== undefined && app.client_secret === client_secret;
  };
  const routes: Routes = {
    'GET /api/v2/instance': () => ({ json: { configuration: { statuses: { max_characters: 300 } } } }),
    'POST /api/v1/apps': (_got, body) => {
      const [client_id, client_secret] = [randomUUID(), randomUUID()];
      apps.set(client_id, { client_secret, redirect_uri: body['redirect_uris']! });
      return { json: { client_id, client_secret } };
    },
    'POST /oauth/token': (_got, body) => {
      const authorization = codes.get(body['code'] ?? '');
      codes.delete(body['code'] ?? '');
      const proof = body['code_verifier'] ?? '';
      const challenge = createHash('sha256').update(proof).digest('base64url');
      if (!isKnown(body) || authorization?.client_id !== body['client_id'] || authorization?.challenge !== challenge)
        return rejection(400, 'invalid_grant');
      if (authorization?.redirect_uri !== body['redirect_uri']) return rejection(400, 'redirect_uri');
      const access_token = `token-${randomUUID()}`;
      tokens.add(access_token);
      return { json: { access_token, token_type: 'Bearer' } };
    },
    'POST /oauth/revoke': (_got, body) => {
      if (!isKnown(body)) return rejection(403, 'unauthorized_client');
      tokens.delete(body['token'] ?? '');
      return { json: {} };
    },
  };
  const allow = (authorize_url: string): URLSearchParams => {
    const parameters = new URL(authorize_url).searchParams;
    const [client_id, code] = [parameters.get('client_id')!, randomUUID()];
    const redirect_uri = parameters.get('redirect_uri')!;
    if (apps.get(client_id)?.redirect_uri !== redirect_uri) throw new Error('The redirect is not registered.');
    if (parameters.get('code_challenge_method') !== 'S256') throw new Error('There is no proof key.');
    codes.set(code, { client_id, challenge: parameters.get('code_challenge')!, redirect_uri });
    return new URLSearchParams({ code, state: parameters.get('state')! });
  };
  return { routes, allow };
}

/** Returns the routes of the server that require a token. */
function publicationRoutes(statuses: FakeSocialServer['statuses'], media: FakeSocialServer['media']): Routes {
  const keys = new Map<string, string>();
  return {
    'GET /api/v1/accounts/verify_credentials': () => ({ json: { acct: 'acme', url: 'https://social.example/@acme' } }),
    'POST /api/v2/media': (request) => {
      const id = String(media.size + 1);
      media.set(id, /name="description"\r\n\r\n([^\r]*)/.exec(request.body)?.[1] ?? '');
      return { status: 202, json: { id } };
    },
    'POST /api/v1/statuses': (request, body) => {
      const key = String(request.headers['idempotency-key']);
      const id = keys.get(key) ?? String(statuses.size + 1);
      keys.set(key, id);
      const input = body as unknown as Omit<Status, 'id' | 'media_ids'> & { media_ids?: string[] };
      const { status, visibility, language, media_ids = [] } = input;
      statuses.set(id, { id, status, visibility, language, media_ids });
      return { json: { id, url: `https://social.example/@acme/${id}` } };
    },
  };
}

/** Starts the server. */
export async function socialServer(): Promise<FakeSocialServer> {
  const apps: FakeSocialServer['apps'] = new Map();
  const [tokens, statuses, media] = [new Set<string>(), new Map<string, Status>(), new Map<string, string>()];
  const { routes, allow } = authorizationRoutes(apps, tokens);
  const signedIn = publicationRoutes(statuses, media);

  function answer(request: FakeRequest): FakeResponse {
    const [path = ''] = request.path.split('?');
    const next = state.queued_responses.shift();
    if (next) return next;
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const body = isJson ? JSON.parse(request.body) : {};
    const open = routes[`${request.method} ${path}`];
    if (open) return open(request, body);
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      return rejection(401, 'The access token is invalid');
    const known = signedIn[`${request.method} ${path}`];
    if (known) return known(request, body);
    const [, id = ''] = /^\/api\/v1\/statuses\/(\d+)$/.exec(path) ?? [];
    if (request.method === 'DELETE' && id)
      return statuses.delete(id) ? { json: {} } : rejection(404, 'Record not found');
    if (path.startsWith('/api/v1/media/')) return { status: state.busy_with_media-- > 0 ? 206 : 200, json: {} };
    return rejection(404, 'Not found');
  }

  const server = await fakeServer(async (request) => {
    const { meanwhile } = request.path === '/api/v1/statuses' ? state : {};
    if (meanwhile) state.meanwhile = undefined;
    await meanwhile?.();
    return answer(request);
  });
  const state: FakeSocialServer = {
    ...server,
    apps,
    tokens,
    statuses,
    media,
    queued_responses: [],
    busy_with_media: 0,
    allow,
  };
  return state;
}
