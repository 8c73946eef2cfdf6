/** The documents: `/openapi.json` for programs, `/docs` for people, `/docs/errors` for who met one; nothing is loaded from elsewhere. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import type { Log } from '@suite/chassis/gateway';
import type { Link, Reply } from '../request/request-context.ts';
import { MethodNotAllowed } from '../request/faults.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Scalar's own colours, where they are too pale to read: all reach WCAG's contrast of 4.5 to 1. Code is dark on a light
 * page, too; a class that is named twice outweighs Scalar's own rule.
 */
const COLOURS = [
  '.light-mode.light-mode { --scalar-color-2: #565656; --scalar-color-3: #646464; --scalar-color-green: #00704a; ' +
    '--scalar-color-blue: #0062a8; --scalar-color-red: #b8102a; --scalar-color-orange: #9a4500; ' +
    '--scalar-color-yellow: #725600; --scalar-color-purple: #6338a0; --scalar-sidebar-search-color: #646464; }',
  '.dark-mode.dark-mode { --scalar-color-2: #b4b4b4; --scalar-color-3: #a0a0a0; --scalar-color-red: #ff7b7b; ' +
    '--scalar-sidebar-search-color: #a0a0a0; }',
].join(' ');

/** Scalar opens a result of a search on Enter only after the arrow keys have chosen it: without that, the first is meant. */
const START = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  customCss: '${COLOURS}',
});

addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    if (key !== 'Enter' || isComposing || target.getAttribute('role') !== 'combobox') return;
    const results = document.getElementById(target.getAttribute('aria-controls'));
    if (!results || target.getAttribute('aria-activedescendant')) return;
    results.querySelector('[role="option"]')?.click();
  },
  true,
);
`;

/** Scalar sets styles at run time, hence their 'unsafe-inline'; scripts and connections are this origin's only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  type: string;
  etag: string;
  body: Buffer;
  gzipped: Buffer;
}

const compress = promisify(gzip);
const require = createRequire(import.meta.url);

/** Makes the link that answers `/openapi.json` and `/docs`. */
export async function docs(options: {
  /** The generated document. */
  file: string | URL;
  /** The generated catalogue of error codes, to which `docs_url` leads. */
  errors: string | URL;
  /** Counts a request before it is answered. */
  limit: Link;
  log: Log;
}): Promise<Link> {
  const pages = new Map<string, Page>([
    ['/docs', await page('text/html; charset=utf-8', PAGE)],
    ['/docs/start.js', await page('text/javascript; charset=utf-8', START)],
  ]);
  for (const [path, file, type] of [
    ['/openapi.json', options.file, 'application/json'],
    ['/docs/errors', options.errors, 'text/html'],
  ] as const) {
    if (existsSync(file)) pages.set(path, await page(`${type}; charset=utf-8`, readFileSync(file)));
    else options.log.warn({ file: String(file) }, 'A document that should be served is not there.');
  }

  return (request, reply, next) => {
    const { path } = reply.locals.exchange;
    if (path.startsWith('/api/')) return next();
    const isScript = path === '/docs/scalar.js';
    const known = pages.get(path);
    if (!known && !isScript && path !== '/') return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') throw MethodNotAllowed('GET, HEAD');
    options.limit(request, reply, (refused?: unknown) => {
      if (refused) next(refused);
      else if (known) send(reply, known);
      else if (path === '/') reply.writeHead(302, { ...reply.locals.exchange.headers, location: '/docs' }).end();
      // Four megabytes that most processes never serve: read when first asked for.
      else script().then((loaded) => send(reply, loaded), next);
    });
  };
}

let loading: Promise<Page> | undefined;

function script(): Promise<Page> {
  // The package exports its style sheet but not its script for browsers, which lies beside it.
  const style = require.resolve('@scalar/api-reference/style.css');
  loading ??= readFile(join(dirname(style), 'browser/standalone.js')).then((text) =>
    page('text/javascript; charset=utf-8', text),
  );
  return loading;
}

async function page(type: string, content: string | Buffer): Promise<Page> {
  const body = Buffer.from(content);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, etag, body, gzipped: await compress(body) };
}

function send(reply: Reply, { type, etag, body, gzipped }: Page): void {
  const { req: request } = reply;
  const ours = reply.locals.exchange.headers;
  const headers: OutgoingHttpHeaders = {
    ...ours,
    'content-security-policy': POLICY,
    'cache-control': 'no-cache',
    vary: ours['vary'] ? `${ours['vary']}, Accept-Encoding` : 'Accept-Encoding',
    etag,
  };
  if (request.headers['if-none-match']?.includes(etag)) return void reply.writeHead(304, headers).end();
  const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (packed) headers['content-encoding'] = 'gzip';
  const content = packed ? gzipped : body;
  reply.writeHead(200, { ...headers, 'content-type': type, 'content-length': content.length });
  reply.end(request.method === 'HEAD' ? undefined : content);
}
