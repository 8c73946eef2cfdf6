/** Webhook events of the payment provider. An event only triggers a request for the current state. */
import { Buffer } from 'node:buffer';
import { NotFound } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { forInstances, ok, openToSigned, page } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { InvalidSignature, StaleSignature } from '../payments/signature.rules.ts';
import { EventTooLarge, ProcessingFailed, parseEvent, WrongMode } from './event.rules.ts';
import { InboundEvent, InboundEventFilter, Received } from './event.schema.ts';
import { readStoredEvent, listEvents, readInboundEvent } from './event.view.ts';
import { senderOf } from './sender.ts';
import { replayEvent, receiveEvent } from './receive.ts';

const ADDITION = 'A missing payment is explained by the events of the provider and their outcome.';

const MAX_BYTES = 256 * 1024;

export const take = command('POST /api/wl/webhook-callback', {
  summary: 'Receive a webhook event',
  description:
    'Receives an event of the payment provider, signed in `Stripe-Signature`. White-label instances relay events with their token and `Webhook-Signature: t=…,v1=…`, an HMAC-SHA-256 of `t.body`. A relayed event affects only what the instance has sold. Repeated deliveries have no effect.',
  access: openToSigned('white-label instance that relays an event'),
  message: { mime: 'application/json', max_bytes: MAX_BYTES, too_large: EventTooLarge },
  reply: ok(Received),
  faults: [InvalidSignature, StaleSignature, EventTooLarge, WrongMode, ProcessingFailed],
  async prepare({ files, storage, keys, read, write, request: { bearer = '', signatures } }) {
    const [message] = files.splice(0);
    const body = Buffer.from(await storage.read(message!.key));
    await storage.remove(message!.key);
    const signedRequest = { bearer, signatures: signatures ?? { provider: '', relay: '' } };
    const sender = await read((db) => senderOf(db, keys, signedRequest, body));
    return await receiveEvent({ read, write }, sender, parseEvent(body));
  },
  handle: ({ prepared: { status, duplicate } }) => ({ received: true as const, status, duplicate }),
});

export const list = query('GET /api/wl/events', {
  summary: 'List the webhook events of an instance',
  description:
    'Returns the webhook events received in the mode of the token, with the outcome of each. Use it to find events to replay.',
  addition: ADDITION,
  access: forInstances,
  query: InboundEventFilter,
  reply: page(InboundEvent),
  handle: ({ db, query, caller }) => listEvents(db, caller, query),
});

export const replay = command('POST /api/wl/events/{id}/replay', {
  summary: 'Replay a webhook event',
  description:
    'Requests the current state from the payment provider and stores it, regardless of the previous outcome. Use it for a failed event. Replaying an event again is safe.',
  addition: ADDITION,
  access: forInstances,
  params: { id: Id },
  reply: ok(InboundEvent),
  faults: [ProcessingFailed],
  async prepare({ params, caller, read, write }) {
    const event = await read((db) => readStoredEvent(db, params.id));
    if (!event) throw NotFound();
    await replayEvent({ read, write }, caller.instance!, event);
  },
  handle: ({ db, params }) => readInboundEvent(db, params.id),
});
