/** The real company: a new workspace in the running services, called in the same way as the gateway does. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { operationsOf, everyPermissionOf } from '@suite/chassis/declarations';
import { type Caller, loadKeys } from '@suite/chassis/gateway';
import { finance } from '@suite/finance';
import { call } from '@suite/testing/http';
import { retryPostponed } from '@suite/testing/waiting';
import { inventory } from '@suite/inventory';
import type { ActualResponse, Json } from '../state/attempt.ts';
import type { Model, Product } from '../state/model.ts';

/** The parts of a suite that a company needs. */
export interface ReachedSuite {
  data: string;
  processes: Record<string, { url: string | null }>;
}

export interface Answer {
  status: number;
  body: ActualResponse;
}

export interface Company {
  workspace_id: string;
  send(service: 'finance' | 'inventory', method: string, path: string, body?: Json): Promise<Answer>;
  /** Returns the record at a path. */
  show(service: 'finance' | 'inventory', path: string): Promise<ActualResponse>;
  /** Returns all records of a list. */
  all(service: 'finance' | 'inventory', path: string): Promise<ActualResponse[]>;
}

const DEADLINE_MS = 30_000;
/** Checks if a busy machine has postponed a request. The idempotency key makes a retry safe. */
const isPostponed = ({ status, body }: Answer) =>
  [429, 502, 503, 504].includes(status) || ['request_in_progress', 'stock_pending'].includes(body?.code);

/** Returns the owner of a workspace. */
function owner(): Caller {
  const operations = [finance, inventory].flatMap((service) => [...operationsOf(service).values()]);
  const permissions = operations.flatMap(everyPermissionOf);
  return {
    user_id: randomUUID(),
    user_name: 'Kim Example',
    kind: 'owner',
    role: 'owner',
    record_scopes: {},
    workspace_id: randomUUID(),
    session_id: randomUUID(),
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    permissions: [...new Set(permissions)],
    modules: [...new Set(operations.flatMap(({ module }) => module ?? []))],
  };
}

/** Opens the books of a new company. */
export function openCompany(suite: ReachedSuite): Company {
  const keys = loadKeys('gateway', join(suite.data, 'keys', 'gateway'));
  const caller = owner();
  const ask = async (service: string, method: string, path: string, key: string, body?: Json): Promise<Answer> => {
    const { status, body: answer } = await call(String(suite.processes[service]?.url), path, {
      method,
      headers: {
        authorization: `Bearer ${keys.sign(service, caller)}`,
        'x-client-address': '127.0.0.1',
        'x-request-id': randomUUID(),
        ...(method !== 'GET' && { 'idempotency-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, body: answer };
  };
  const send: Company['send'] = async (service, method, path, body) => {
    const key = randomUUID();
    return await retryPostponed(() => ask(service, method, path, key, body), isPostponed);
  };
  const read = async (service: 'finance' | 'inventory', path: string) => {
    const { status, body } = await send(service, 'GET', path);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    workspace_id: caller.workspace_id,
    send,
    show: async (service, path) => (await read(service, path)).data,
    async all(service, path) {
      const found: ActualResponse[] = [];
      for (let page = 1; ; page += 1) {
        const { data, meta } = await read(service, `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
        found.push(...data);
        if (found.length >= meta.total) return found;
      }
    },
  };
}

/** Creates the initial records of every company, and returns a model with the same records. */
export async function findCompany({ send, show }: Company): Promise<Model> {
  const make = async (service: 'finance' | 'inventory', path: string, body: Json): Promise<string> => {
    const { status, body: answer } = await send(service, 'POST', path, body);
    if (status !== 201) throw new Error(`${path} returned ${status}: ${JSON.stringify(answer)}`);
    return answer.data.id;
  };
  const tax = async (name: string, rate: string, inclusive: boolean) => ({
    id: await make('inventory', '/api/tax/create', { name, rate, inclusive }),
    rate,
    inclusive,
  });
  const people = async (kind: string) => [
    await make('finance', `/api/${kind}s/create`, { name: `First ${kind}` }),
    await make('finance', `/api/${kind}s/create`, { name: `Second ${kind}` }),
  ];
  const customers = await people('customer');
  const first = async (path: string): Promise<string> => (await show('finance', path))[0].id;
  const products: Product[] = [];
  return {
    customers,
    vendors: await people('vendor'),
    products,
    warehouses: [
      await make('inventory', '/api/warehouse/create', { name: 'Near', code: 'NEAR' }),
      await make('inventory', '/api/warehouse/create', { name: 'Far', code: 'FAR' }),
    ],
    taxes: [await tax('VAT', '20', false), await tax('Levy', '2.5', false), await tax('In it', '19', true)],
    places: {
      revenue_category: await first('/api/revenue-categories?name=Services'),
      expense_category: await first('/api/expense-categories?name=Rent'),
      till: await first('/api/bank-accounts'),
    },
    levels: new Map(),
    invoices: [],
    returns: [],
    cash: [],
    transfers: [],
    ledger: new Map(),
    numbers: new Map(),
    locks: new Map(),
    unsettled: false,
  };
}
