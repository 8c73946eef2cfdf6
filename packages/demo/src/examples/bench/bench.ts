/**
 * Calls of every operation, as they are really made. Their bodies are written down in this folder; the records that they
 * need are made first, through the gateway, in the state that the operation needs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { vocabulary } from './vocabulary.ts';

/** A call as it is written down. `$lead` stands for the id of a record, `$lead!` for that of one made for this call. */
export interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** The file of a form, where a picture does not do. */
  file?: { name: string; type: string; text: string };
  /** The caller: the owner otherwise. */
  as?: string;
  /** The site whose page sends it, for what visitors of other sites do. */
  origin?: string;
}

/** A record, as far as recipes look into it. */
export type Row = Record<string, unknown> & { id: string };

/** Makes a record in the state that an operation needs. The serial number keeps the names of several apart. */
export type Recipe = (bench: Bench, serial: number) => Promise<Row>;

export interface Endpoint {
  method: string;
  path: string;
  kind: string;
  /** The field of a form that takes a file. */
  upload: string | undefined;
  /** The type of a body that is one message; its example is written down as text. */
  message: string | undefined;
  isList: boolean;
}

export interface Answer {
  status: number;
  type: string;
  /** The parsed body of a JSON answer. */
  body: unknown;
}

export interface Options {
  gateway: string;
  owner: { email: string; password: string };
  /** The operations of the document, by their ids. */
  endpoints: ReadonlyMap<string, Endpoint>;
  recipes: Readonly<Record<string, Recipe>>;
  calls: Readonly<Record<string, Call>>;
  /** The token of the newest link for a purpose that was mailed to an address. */
  mailed(email: string, purpose: string): Promise<string>;
  /** Servers of others, which integrations call. */
  providers: { sms: string; social: string; calendar: string; lastMessage(to?: string): Record<string, string> };
  seller: Seller;
}

/** Operators and the payment provider, for what is sold. */
export interface Seller {
  /** Makes a white-label instance. */
  openInstance(): Promise<{ id: string; token: string; domain: string }>;
  /** Opens a workspace, whose owner has signed in. */
  openWorkspace(): Promise<{ id: string; access_token: string }>;
  /** Pays on the page of a checkout, and has the provider tell us. @returns the provider's id of the subscription */
  pay(url: string): Promise<string>;
}

/** A call that can be sent now: with what stands in the document, and what stands for it in this workspace. */
export interface Prepared {
  documented: Call;
  /** Sends the call, with values of this workspace in the place of documented ones. */
  send(call: Call): Promise<Answer>;
}

export interface Bench extends Pick<Options, 'gateway' | 'owner' | 'mailed' | 'providers' | 'seller'> {
  /** Calls an operation that must succeed. @throws an Error that says what was answered instead */
  call(id: string, call?: Call): Promise<Row>;
  /** Calls an operation that must be refused. @returns the details of the refusal */
  refused(id: string, call: Call): Promise<Record<string, unknown>>;
  /** The first row of a list. */
  first(id: string, query?: Record<string, string>): Promise<Row>;
  /** A record that calls share. */
  shared(name: string): Promise<Row>;
  prepare(id: string): Promise<Prepared>;
  /** The placeholders of the document for the ids of this workspace, so far. */
  documented: ReadonlyMap<string, string>;
}

const TRIES = 30;
const WAIT_S = 0.5;
/** A picture of one point: most uploads take it. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const fileOf = ({ file }: Call): File =>
  file
    ? new File([file.text], file.name, { type: file.type })
    : new File([PICTURE], 'bicycle.png', { type: 'image/png' });

async function request(gateway: string, endpoint: Endpoint, call: Call, token: string | undefined): Promise<Answer> {
  const { method, path, upload, message } = endpoint;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  const form = new FormData();
  const fields = upload ? Object.entries(call.body ?? {}) : [];
  for (const [name, value] of fields) form.set(name, String(value));
  if (upload) form.set(upload, fileOf(call));
  const query = call.query ? `?${new URLSearchParams(call.query)}` : '';
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${gateway}${address}${query}`, {
      method,
      headers: {
        ...(call.origin && { origin: call.origin }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(token && endpoint.kind === 'command' && { 'idempotency-key': randomUUID() }),
        ...(call.body !== undefined && !upload && { 'content-type': message ?? 'application/json' }),
      },
      ...(upload
        ? { body: form }
        : call.body !== undefined && { body: message ? String(call.body) : JSON.stringify(call.body) }),
    });
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const content = Buffer.from(await response.arrayBuffer());
    const wait_s = response.headers.get('retry-after');
    // Goods are still on their way, or a service is busy: it says when to ask again.
    if (!wait_s || tries === TRIES)
      return {
        status: response.status,
        type,
        body: type === 'application/json' ? JSON.parse(content.toString()) : undefined,
      };
    await pause(Math.min(Number(wait_s), WAIT_S) * 1_000);
  }
}

const singular = (plural: string): string =>
  plural
    .replace(/ies$/, 'y')
    .replace(/(x|ch)es$/, '$1')
    .replace(/s$/, '');
const snake = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The record that a path variable names when nobody says otherwise: one made for the call, where it changes something. */
function variablesOf(id: string, { path, kind }: Endpoint, known: Options['recipes']): Record<string, string> {
  const noun = singular(snake(String(id.split('.')[0])).replace(/_v1$/, ''));
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const own = kind === 'command' ? '!' : '';
  return Object.fromEntries(
    names.map((name) => {
      const word = name.replace(/_id$/, '');
      const isNoun = name === 'id' || noun.split('_').at(-1) === word;
      return [name, `$${isNoun && known[noun] ? noun : word}${own}`];
    }),
  );
}

/** Opens a bench at a running suite: somebody who makes what is needed, and sends what is documented. */
export async function openBench(options: Options): Promise<Bench> {
  const { gateway, owner, endpoints, recipes, calls, mailed, providers, seller } = options;
  const endpointOf = (id: string): Endpoint => {
    const found = endpoints.get(id);
    if (!found) throw new Error(`There is no operation ${id}.`);
    return found;
  };
  const ask = (id: string, call: Call, token: string | undefined) => request(gateway, endpointOf(id), call, token);
  const must = async (id: string, call: Call, token: string | undefined): Promise<unknown> => {
    const { status, body } = await ask(id, call, token);
    if (status >= 300) throw new Error(`${id} answers ${status} ${JSON.stringify(body)} to ${JSON.stringify(call)}.`);
    return (body as { data: unknown } | undefined)?.data;
  };
  const login = { body: { email: owner.email, password: owner.password } };
  const { access_token: token } = (await must('sessions.login', login, undefined)) as { access_token: string };
  const names = vocabulary((name, key) => record(name, key));
  const record = records(recipes, () => bench);

  const bench: Bench = {
    gateway,
    owner,
    mailed,
    providers,
    seller,
    documented: names.documented,
    async call(id, call = {}) {
      const { as = token, ...given } = call;
      return (await must(id, names.translate(await names.resolve('', given)), as)) as Row;
    },
    async refused(id, { as, ...given }) {
      const { status, body } = await ask(id, names.translate(await names.resolve('', given)), as);
      if (status < 400) throw new Error(`${id} answers ${status} to ${JSON.stringify(given)}.`);
      return (body as { details?: Record<string, unknown> }).details ?? {};
    },
    async first(id, query = {}) {
      const [row] = (await must(id, { query: { per_page: '1', ...query } }, token)) as Row[];
      if (!row) throw new Error(`${id} has no record with ${JSON.stringify(query)}.`);
      return row;
    },
    shared: (name) => record(name, name),
    async prepare(id) {
      const { as, ...given } = calls[id] ?? {};
      const path = { ...variablesOf(id, endpointOf(id), recipes), ...given.path };
      const documented = await names.resolve(id, { ...given, ...(Object.keys(path).length > 0 && { path }) });
      const caller = as ? names.translate(await names.resolve(id, { as })).as : as === '' ? undefined : token;
      return { documented, send: (wanted) => ask(id, names.translate(wanted), caller) };
    },
  };
  return bench;
}

/** Makes each record once. */
function records(recipes: Options['recipes'], bench: () => Bench) {
  const made = new Map<string, Promise<Row>>();
  const serials = new Map<string, number>();
  return (name: string, key: string): Promise<Row> => {
    const known = made.get(key);
    if (known) return known;
    const recipe = recipes[name];
    if (!recipe) throw new Error(`Nobody has written down how to make "${name}".`);
    const serial = (serials.get(name) ?? 0) + 1;
    serials.set(name, serial);
    const making = recipe(bench(), serial);
    made.set(key, making);
    return making;
  };
}
