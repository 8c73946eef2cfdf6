/**
 * Serves the API docs: `/openapi.json` for programs, `/docs` for people, `/docs/guides` for guides, `/docs/errors` for
 * error codes. The pages load nothing from other sites.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Log } from '@suite/chassis/gateway';
import { MethodNotAllowed } from '../request/faults.ts';
import type { Middleware, GatewayReply } from '../request/request-context.ts';
import { CONTENT_SECURITY_POLICY, PAGE, START_SCRIPT } from './reference-page.ts';
import { loadScript } from './scalar.ts';

interface Page {
  type: string;
  etag: string;
  body: Buffer;
  gzipped: Buffer;
}

const compress = promisify(gzip);

/** Generated files that the gateway serves. */
export interface DocsFiles {
  /** OpenAPI document. */
  document: string | URL;
  /** Catalogue of error codes. `docs_url` links to it. */
  errors: string | URL;
  /** Folder of the guides, one HTML file each. */
  guides: URL;
}

/**
 * Returns the middleware that serves `/openapi.json` and `/docs`.
 * @param limit counts a request before the response
 */
export async function docs(files: DocsFiles, limit: Middleware, log: Log): Promise<Middleware> {
  const pages = new Map<string, Page>([
    ['/docs', await page('text/html; charset=utf-8', PAGE)],
    ['/docs/start.js', await page('text/javascript; charset=utf-8', START_SCRIPT)],
  ]);
  for (const [path, file, type] of [
    ['/openapi.json', files.document, 'application/json'],
    ['/docs/errors', files.errors, 'text/html'],
  ] as const) {
    if (existsSync(file)) pages.set(path, await page(`${type}; charset=utf-8`, readFileSync(file)));
    else log.warn({ file: String(file) }, 'API docs file missing; cannot be served');
  }

  for (const [name, text] of guidesIn(files.guides)) {
    pages.set(`/docs/guides/${name}`, await page('text/html; charset=utf-8', text));
  }

  return (request, reply, next) => {
    const { path } = reply.locals.context;
    if (path.startsWith('/api/')) return next();
    const isScript = path === '/docs/scalar.js';
    const known = pages.get(path);
    if (!known && !isScript && path !== '/') return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') throw MethodNotAllowed('GET, HEAD');
    limit(request, reply, (refused?: unknown) => {
      if (refused) next(refused);
      else if (known) send(reply, known);
      else if (path === '/') reply.writeHead(302, { ...reply.locals.context.headers, location: '/docs' }).end();
      // The script has 4 MB, and most processes never serve it. The first request loads it.
      else script().then((loaded) => send(reply, loaded), next);
    });
  };
}

/** Returns the guides of a folder by name. */
function guidesIn(folder: URL): [name: string, text: Buffer][] {
  const directory = fileURLToPath(folder);
  if (!existsSync(directory)) return [];
  return readdirSync(directory).map((file) => [basename(file, '.html'), readFileSync(join(directory, file))]);
}

let scriptPage: Promise<Page> | undefined;

function script(): Promise<Page> {
  scriptPage ??= loadScript().then((text) => page('text/javascript; charset=utf-8', text));
  return scriptPage;
}

async function page(type: string, content: string | Buffer): Promise<Page> {
  const body = Buffer.from(content);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, etag, body, gzipped: await compress(body) };
}

function send(reply: GatewayReply, { type, etag, body, gzipped }: Page): void {
  const { req: request } = reply;
  const ours = reply.locals.context.headers;
  const headers: OutgoingHttpHeaders = {
    ...ours,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': 'no-cache',
    vary: ours['vary'] ? `${ours['vary']}, Accept-Encoding` : 'Accept-Encoding',
    etag,
  };
  if (request.headers['if-none-match']?.includes(etag)) return void reply.writeHead(304, headers).end();
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (acceptsGzip) headers['content-encoding'] = 'gzip';
  const content = acceptsGzip ? gzipped : body;
  reply.writeHead(200, { ...headers, 'content-type': type, 'content-length': content.length });
  reply.end(request.method === 'HEAD' ? undefined : content);
}
