/**
 * Events of the payment provider: it tells of each change, several times and in any order. What is true then is asked of it;
 * an event says only what to ask for.
 */
import { Buffer } from 'node:buffer';
import { forInstances, Id, NotFound, ok, openToSigned, page } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { InvalidSignature, StaleSignature } from '../payments/signature.rules.ts';
import { EventTooLarge, NotDigested, readEvent, WrongMode } from './event.rules.ts';
import { InboundEvent, InboundEventFilter, Received } from './event.schema.ts';
import { keptEvent, listEvents, readKept } from './event.view.ts';
import { senderOf } from './sender.ts';
import { replayEvent, takeEvent } from './take.ts';

const MAX_BYTES = 256 * 1024;

export const take = command('POST /api/wl/webhook-callback', {
  summary: 'Receive a webhook event',
  description:
    'From the provider, signed by it (`Stripe-Signature`); or relayed by a white-label instance, with its token and signed with its webhook secret (`Webhook-Signature: t=…,v1=…`, an HMAC-SHA-256 over `t.body`). A relayed event reaches what the instance itself has sold. A delivery that is repeated has no effect.',
  access: openToSigned('white-label instance that relays an event, or the signature of the payment provider alone'),
  message: { mime: 'application/json', max_bytes: MAX_BYTES, too_large: EventTooLarge },
  reply: ok(Received),
  faults: [InvalidSignature, StaleSignature, EventTooLarge, WrongMode, NotDigested],
  async prepare({ files, storage, keys, read, write, request: { bearer = '', signatures } }) {
    const [message] = files.splice(0);
    const body = Buffer.from(await storage.read(message!.key));
    await storage.remove(message!.key);
    const signed = { bearer, signatures: signatures ?? { provider: '', relay: '' } };
    const sender = await read((db) => senderOf(db, keys, signed, body));
    return await takeEvent({ read, write }, sender, readEvent(body));
  },
  handle: ({ prepared: { status, duplicate } }) => ({ received: true as const, status, duplicate }),
});

export const list = query('GET /api/wl/events', {
  summary: 'List the webhook events of an instance',
  description: 'In the mode of the token, with what came of each.',
  access: forInstances,
  query: InboundEventFilter,
  reply: page(InboundEvent),
  handle: ({ db, query, caller }) => listEvents(db, caller, query),
});

export const replay = command('POST /api/wl/events/{id}/replay', {
  summary: 'Replay a webhook event',
  description: 'What the provider says now is asked for and written, whatever came of the event before.',
  access: forInstances,
  params: { id: Id },
  reply: ok(InboundEvent),
  faults: [NotDigested],
  async prepare({ params, caller, read, write }) {
    const event = await read((db) => keptEvent(db, params.id));
    if (!event) throw NotFound();
    await replayEvent({ read, write }, caller.instance!, event);
  },
  handle: ({ db, params }) => readKept(db, params.id),
});
