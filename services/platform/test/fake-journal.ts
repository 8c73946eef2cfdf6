/** A fake service whose journal is a list. For tests of the change feed. */
import { randomUUID } from 'node:crypto';
import { Unavailable } from '@suite/chassis/faults';
import {
  type DescribedChange,
  type FeedPlace,
  type ListNewChangesRequest,
  type NewChange,
  RecordServiceDefinition,
} from '@suite/proto/records/v1/records';
import { fakeServer } from '@suite/testing/fakes/fake-server';
import { RECORD_SERVICES, type RecordServiceName } from '../src/operations.ts';

/** Returns a place after all changes up to a position. */
const placeAfter = (settled: string): FeedPlace => ({
  epoch: '1',
  settled,
  since: '2026-01-01T00:00:00.000Z',
  floor: '0',
  next_floor: '0',
  next_settled: '0',
  until: undefined,
  resume: undefined,
});

const describedAt = (position: string, number: number): DescribedChange => ({
  position,
  number,
  change: {
    id: `${position}.${number}`,
    at: '2026-11-29T10:00:00.000Z',
    action: 'updated',
    user_id: undefined,
    api_key_id: undefined,
    operation: 'leads.update',
    request_id: 'request',
    fields: [{ field: 'name', old_json: '"Old"', new_json: '"New"', concealed: false }],
  },
});

/** The journal of a fake service, with the gRPC service that reads it. */
export class FakeJournal {
  readonly #service: string;
  #position = 0;
  changes: NewChange[] = [];
  /** Records that no caller sees. */
  hidden = new Set<string>();
  is_down = false;

  constructor(service: string) {
    this.#service = service;
  }

  clear(): void {
    this.changes = [];
    this.hidden = new Set();
    this.is_down = false;
  }

  /** Adds a change, and returns the ID of its record. */
  add(noun: string, at: string, record_id = randomUUID()): string {
    this.#position += 1;
    const record_type = `${this.#service}.${noun}`;
    this.changes.push({ position: String(this.#position), number: 1, record_type, record_id, action: 'updated', at });
    return record_id;
  }

  readonly #next = ({ after, limit }: ListNewChangesRequest) => {
    const from = after?.resume ?? after?.settled ?? '0';
    const later = this.changes.filter(({ position }) => Number(position) > Number(from));
    const [changes, has_more] = [later.slice(0, limit), later.length > limit];
    const last = changes.at(-1);
    const next = placeAfter(last?.position ?? from);
    return { changes, has_more, here: placeAfter(from), next, last_at: has_more ? last?.at : undefined };
  };

  readonly server = fakeServer(RecordServiceDefinition, {
    listNewChanges: async (request) => {
      if (this.is_down) throw Unavailable();
      return this.#next(request);
    },
    describeChanges: async ({ changes }) => {
      if (this.is_down) throw Unavailable();
      const seen = changes.filter(({ record_id }) => !this.hidden.has(record_id));
      return { changes: seen.map(({ position, number }) => describedAt(position, number)) };
    },
  });
}

/** Returns an empty journal of each service with records. */
export const fakeJournals = (): Record<RecordServiceName, FakeJournal> =>
  Object.fromEntries(RECORD_SERVICES.map((name) => [name, new FakeJournal(name)])) as Record<
    RecordServiceName,
    FakeJournal
  >;

/** Returns the fake services of journals, for `start`. */
export const fakesOf = (journals: Record<string, FakeJournal>) =>
  Object.fromEntries(Object.entries(journals).map(([name, { server }]) => [name, server]));
