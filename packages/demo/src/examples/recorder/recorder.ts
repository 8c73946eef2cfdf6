/**
 * Recorder of the examples: calls every operation as clients do. The bodies of the calls are in the other folders of
 * the examples. The records that the calls need are created first, through the gateway, in the state that the operation
 * needs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { singular } from '@suite/chassis/fields';
import { vocabulary } from './vocabulary.ts';

/**
 * Call as stored in the examples. `$lead` is the ID of a record that calls share, and `$lead!` the ID of a record
 * created for this call. `$lead.name` and `$lead!.name` are other fields of these records.
 */
export interface ExampleCall {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** The file of a form that does not accept an image. */
  file?: { name: string; type: string; text: string };
  /** Caller. Defaults to the owner. */
  as?: string;
  /** The origin of the sending page, for operations that visitors of other sites use. */
  origin?: string;
}

/** Record, with the fields that factories use. */
export type Row = Record<string, unknown> & { id: string };

/** Creates a record in the state that an operation needs. The serial number makes names unique. */
export type ExampleFactory = (recorder: ExampleRecorder, serial: number) => Promise<Row>;

export interface Endpoint {
  method: string;
  path: string;
  kind: string;
  /** The form field for a file. */
  upload: string | undefined;
  /** Media type of a body that is a single message. Its example is stored as text. */
  message: string | undefined;
  isList: boolean;
}

export interface Answer {
  status: number;
  type: string;
  /** The parsed body of a JSON response. */
  body: unknown;
}

export interface RecorderOptions {
  gateway: string;
  owner: { email: string; password: string };
  /** The operations of the OpenAPI document, by ID. */
  endpoints: ReadonlyMap<string, Endpoint>;
  factories: Readonly<Record<string, ExampleFactory>>;
  calls: Readonly<Record<string, ExampleCall>>;
  /** Returns the token of the newest link with this purpose that was e-mailed to an address. */
  mailed(email: string, purpose: string): Promise<string>;
  /** The fake external servers that integrations call. */
  providers: { sms: string; social: string; calendar: string; lastMessage(to?: string): Record<string, string> };
  seller: SaleActions;
}

/** Operators and the payment provider, for sales of the suite. */
export interface SaleActions {
  /** Creates a white-label instance. */
  openInstance(): Promise<{ id: string; token: string; domain: string }>;
  /** Creates a workspace whose owner has signed in. */
  openWorkspace(): Promise<{ id: string; access_token: string }>;
  /** Pays on the checkout page and makes the provider send its event. @returns the provider's ID of the subscription */
  pay(url: string): Promise<string>;
}

/** Call that can be sent now: the documented version, and its values in this workspace. */
export interface PreparedCall {
  documented: ExampleCall;
  /** Sends the call, with values of this workspace instead of the documented ones. */
  send(call: ExampleCall): Promise<Answer>;
}

export interface ExampleRecorder
  extends Pick<RecorderOptions, 'gateway' | 'owner' | 'mailed' | 'providers' | 'seller'> {
  /** Calls an operation that must succeed. @throws an Error with the unexpected response */
  call(id: string, call?: ExampleCall): Promise<Row>;
  /** Calls an operation that must fail. @returns the details of the fault */
  refused(id: string, call: ExampleCall): Promise<Record<string, unknown>>;
  /** Returns the first row of a list. */
  first(id: string, query?: Record<string, string>): Promise<Row>;
  /** Returns a record that calls share. */
  shared(name: string): Promise<Row>;
  prepare(id: string): Promise<PreparedCall>;
  /** Documented placeholders for the IDs of this workspace that are known now. */
  documented: ReadonlyMap<string, string>;
}

const TRIES = 30;
const WAIT_S = 0.5;
/** An image with one pixel, accepted by most uploads. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const fileOf = ({ file }: ExampleCall): File =>
  file
    ? new File([file.text], file.name, { type: file.type })
    : new File([PICTURE], 'bicycle.png', { type: 'image/png' });

async function request(
  gateway: string,
  endpoint: Endpoint,
  call: ExampleCall,
  token: string | undefined,
): Promise<Answer> {
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
    // Goods are still being moved, or a service is busy: the response contains the time for a retry.
    if (!wait_s || tries === TRIES)
      return {
        status: response.status,
        type,
        body: type === 'application/json' ? JSON.parse(content.toString()) : undefined,
      };
    await pause(Math.min(Number(wait_s), WAIT_S) * 1_000);
  }
}

const snake = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the default record of a path variable: a record created for the call, if the call changes something. */
function variablesOf(
  id: string,
  { path, kind }: Endpoint,
  known: RecorderOptions['factories'],
): Record<string, string> {
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

/** Opens a recorder for a running suite. It creates the needed records and sends the documented calls. */
export async function openRecorder(options: RecorderOptions): Promise<ExampleRecorder> {
  const { gateway, owner, endpoints, factories, calls, mailed, providers, seller } = options;
  const endpointOf = (id: string): Endpoint => {
    const found = endpoints.get(id);
    if (!found) throw new Error(`Operation ${id} not found.`);
    return found;
  };
  const ask = (id: string, call: ExampleCall, token: string | undefined) =>
    request(gateway, endpointOf(id), call, token);
  const must = async (id: string, call: ExampleCall, token: string | undefined): Promise<unknown> => {
    const { status, body } = await ask(id, call, token);
    if (status >= 300) throw new Error(`${id} returned ${status} ${JSON.stringify(body)} to ${JSON.stringify(call)}.`);
    return (body as { data: unknown } | undefined)?.data;
  };
  const login = { body: { email: owner.email, password: owner.password } };
  const { access_token: token } = (await must('sessions.login', login, undefined)) as { access_token: string };
  const names = vocabulary((name, key) => record(name, key));
  const record = recordsOnce(factories, () => recorder);

  const recorder: ExampleRecorder = {
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
      if (status < 400) throw new Error(`${id} returned ${status} for ${JSON.stringify(given)}.`);
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
      const path = { ...variablesOf(id, endpointOf(id), factories), ...given.path };
      const documented = await names.resolve(id, { ...given, ...(Object.keys(path).length > 0 && { path }) });
      const caller = as ? names.translate(await names.resolve(id, { as })).as : as === '' ? undefined : token;
      return { documented, send: (wanted) => ask(id, names.translate(wanted), caller) };
    },
  };
  return recorder;
}

/** Returns a function that creates each record once. */
function recordsOnce(factories: RecorderOptions['factories'], recorder: () => ExampleRecorder) {
  const made = new Map<string, Promise<Row>>();
  const serials = new Map<string, number>();
  return (name: string, key: string): Promise<Row> => {
    const known = made.get(key);
    if (known) return known;
    const factory = factories[name];
    if (!factory) throw new Error(`No factory for "${name}". Add one.`);
    const serial = (serials.get(name) ?? 0) + 1;
    serials.set(name, serial);
    const making = factory(recorder(), serial);
    made.set(key, making);
    return making;
  };
}
