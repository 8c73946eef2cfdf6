/** Fake of a Mastodon-compatible server, as strict as the real one where relevant. */
import { createHash, randomUUID } from 'node:crypto';
import { type Given, type Got, type FakeServer, standIn } from './stand-in.ts';

interface Status {
  id: string;
  status: string;
  visibility: string;
  language: string | undefined;
  media_ids: string[];
}

/** Fake social server, with its contents and behaviour. */
export interface SocialStandIn extends FakeServer {
  apps: Map<string, { client_secret: string; redirect_uri: string }>;
  tokens: Set<string>;
  statuses: Map<string, Status>;
  media: Map<string, string>;
  /** Responses sent in sequence instead of the fake's own. */
  instead: Given[];
  /** Number of times that a picture is reported as being processed. */
  busy_with_media: number;
  /** Called once before the server responds to a new post. */
  meanwhile?: (() => Promise<unknown>) | undefined;
  /** Allows the access that a URL requests, as its user would. @returns the parameters of the redirect */
  allow(authorize_url: string): URLSearchParams;
}

const refused = (status: number, error: string): Given => ({ status, json: { error } });

type Routes = Record<string, (got: Got, body: Record<string, string>) => Given>;

/** Returns the part of the server that registers apps and authorizes them. */
function authorizing(apps: SocialStandIn['apps'], tokens: Set<string>) {
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
      const begun = codes.get(body['code'] ?? '');
      codes.delete(body['code'] ?? '');
      const proof = body['code_verifier'] ?? '';
      const challenge = createHash('sha256').update(proof).digest('base64url');
      if (!isKnown(body) || begun?.client_id !== body['client_id'] || begun?.challenge !== challenge)
        return refused(400, 'invalid_grant');
      if (begun?.redirect_uri !== body['redirect_uri']) return refused(400, 'redirect_uri');
      const access_token = `token-${randomUUID()}`;
      tokens.add(access_token);
      return { json: { access_token, token_type: 'Bearer' } };
    },
    'POST /oauth/revoke': (_got, body) => {
      if (!isKnown(body)) return refused(403, 'unauthorized_client');
      tokens.delete(body['token'] ?? '');
      return { json: {} };
    },
  };
  const allow = (authorize_url: string): URLSearchParams => {
    const asked = new URL(authorize_url).searchParams;
    const [client_id, code] = [asked.get('client_id')!, randomUUID()];
    const redirect_uri = asked.get('redirect_uri')!;
    if (apps.get(client_id)?.redirect_uri !== redirect_uri) throw new Error('The redirect is not registered.');
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('There is no proof key.');
    codes.set(code, { client_id, challenge: asked.get('code_challenge')!, redirect_uri });
    return new URLSearchParams({ code, state: asked.get('state')! });
  };
  return { routes, allow };
}

/** Returns the routes of the server that require a token. */
function publishing(statuses: SocialStandIn['statuses'], media: SocialStandIn['media']): Routes {
  const keys = new Map<string, string>();
  return {
    'GET /api/v1/accounts/verify_credentials': () => ({ json: { acct: 'acme', url: 'https://social.example/@acme' } }),
    'POST /api/v2/media': (got) => {
      const id = String(media.size + 1);
      media.set(id, /name="description"\r\n\r\n([^\r]*)/.exec(got.body)?.[1] ?? '');
      return { status: 202, json: { id } };
    },
    'POST /api/v1/statuses': (got, body) => {
      const key = String(got.headers['idempotency-key']);
      const id = keys.get(key) ?? String(statuses.size + 1);
      keys.set(key, id);
      const said = body as unknown as Omit<Status, 'id' | 'media_ids'> & { media_ids?: string[] };
      const { status, visibility, language, media_ids = [] } = said;
      statuses.set(id, { id, status, visibility, language, media_ids });
      return { json: { id, url: `https://social.example/@acme/${id}` } };
    },
  };
}

/** Starts the server. */
export async function socialServer(): Promise<SocialStandIn> {
  const apps: SocialStandIn['apps'] = new Map();
  const [tokens, statuses, media] = [new Set<string>(), new Map<string, Status>(), new Map<string, string>()];
  const { routes, allow } = authorizing(apps, tokens);
  const signedIn = publishing(statuses, media);

  function answer(got: Got): Given {
    const [path = ''] = got.path.split('?');
    const next = state.instead.shift();
    if (next) return next;
    const isJson = got.headers['content-type']?.startsWith('application/json');
    const body = isJson ? JSON.parse(got.body) : {};
    const open = routes[`${got.method} ${path}`];
    if (open) return open(got, body);
    if (!tokens.has(got.headers.authorization?.replace('Bearer ', '') ?? ''))
      return refused(401, 'The access token is invalid');
    const known = signedIn[`${got.method} ${path}`];
    if (known) return known(got, body);
    const [, id = ''] = /^\/api\/v1\/statuses\/(\d+)$/.exec(path) ?? [];
    if (got.method === 'DELETE' && id) return statuses.delete(id) ? { json: {} } : refused(404, 'Record not found');
    if (path.startsWith('/api/v1/media/')) return { status: state.busy_with_media-- > 0 ? 206 : 200, json: {} };
    return refused(404, 'Not found');
  }

  const server = await standIn(async (got) => {
    const { meanwhile } = got.path === '/api/v1/statuses' ? state : {};
    if (meanwhile) state.meanwhile = undefined;
    await meanwhile?.();
    return answer(got);
  });
  const state: SocialStandIn = {
    ...server,
    apps,
    tokens,
    statuses,
    media,
    instead: [],
    busy_with_media: 0,
    allow,
  };
  return state;
}
