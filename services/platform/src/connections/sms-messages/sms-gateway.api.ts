/** The text-message gateway: an HTTP provider that sends the text messages of the workspace. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { can, ok } from '@suite/chassis/operations';
import { orderedId } from '@suite/chassis/runtime';
import {
  connectIntegration,
  disconnectIntegration,
  findIntegration,
  openConnected,
  openIntegration,
  recordSuccess,
} from '../integrations/integration.ts';
import {
  ConnectionChanged,
  ConnectionFailed,
  integrationStates,
  MaskedValue,
  NotConnected,
  PrivateAddress,
} from '../integrations/integration.rules.ts';
import { ConnectionTest } from '../integrations/integration.schema.ts';
import { toIntegrationResponse } from '../integrations/integration.view.ts';
import { type Db, inSmsGateway } from '../../operations.ts';
import { assertBelowLimit, assertCountry, countToday, failQueuedMessages, recordTestMessage } from './sms-message.ts';
import { DailyLimit } from './sms-message.rules.ts';
import {
  toSendContext,
  mergeSettings,
  type SmsSecrets,
  TEST_TEXT,
  testWithMessage,
  testServer,
} from '../sms-provider/sms-provider.ts';
import {
  SmsGateway,
  SmsGatewayInput,
  type SmsGatewaySettings,
  SmsTestInput,
} from '../sms-provider/sms-provider.schema.ts';

const ADDITION = 'The specification only shows integrations: users must be able to connect, test and disconnect them.';

const { query, command } = inSmsGateway;
const NAME = 'smsgateway';

export const OwnerRequiredForGateway = fault(
  403,
  'owner_gateway',
  'Only an owner can connect or change the text-message gateway. Ask an owner of the workspace.',
);

/**
 * Checks that an owner connects the provider. Chosen: the provider can read the codes of second factors. Managers can
 * still test and disconnect the gateway, which shows them no code.
 * @throws OwnerRequiredForGateway
 */
function assertOwner({ kind }: Caller): void {
  if (kind !== 'owner') throw OwnerRequiredForGateway();
}

async function showGateway(db: Db, caller: Caller) {
  const { today } = await countToday(db);
  const queued = await db.smsMessage.count({ where: { status: 'queued' } });
  const row = await findIntegration(db, NAME);
  const allowed = integrationStates.allowedTo(caller, { status: row?.status ?? 'not_configured' });
  const actions = allowed.filter((action) => action !== 'connect' || caller.kind === 'owner');
  const details = { name: NAME, caller, usage: { today, queued }, actions } as const;
  return toIntegrationResponse<SmsGatewaySettings, typeof details.usage>(row, details);
}

export const show = query('GET /api/smsgateway', {
  summary: 'Get the text-message gateway',
  description:
    'Returns the gateway settings and the result of the last test. Secrets are masked except for their last four characters.',
  access: can('integration.view'),
  reply: ok(SmsGateway),
  handle: ({ db, caller }) => showGateway(db, caller),
});

// Chosen: only a message tests a provider completely, and messages cost money. The test number is therefore optional.
export const connect = command('POST /api/smsgateway/connect', {
  summary: 'Connect the text-message gateway',
  description:
    'Connects the gateway after a test and stores nothing if the test fails. `test_to` sends a test message. Without it, only the connection is tested. Omitted settings stay unchanged. Requires an owner, because the provider can read sign-in codes.',
  addition: ADDITION,
  access: integrationStates.can('connect'),
  body: SmsGatewayInput,
  reply: ok(SmsGateway),
  faults: [ConnectionFailed, ConnectionChanged, PrivateAddress, MaskedValue, OwnerRequiredForGateway],
  async prepare({ read, keys, body, ...context }) {
    assertOwner(context.caller);
    const existing = await read((db) => openIntegration<SmsGatewaySettings, SmsSecrets>(db, keys, NAME));
    const connection = mergeSettings(context.caller.workspace_id, body, existing);
    const sendContext = toSendContext(context);
    if (body.test_to) await assertCountry(connection.settings, body.test_to, 'test_to');
    const message = body.test_to && { id: orderedId(), to: body.test_to };
    const trial = message
      ? await testWithMessage(connection, message, sendContext)
      : await testServer(connection, sendContext);
    trial.assertPassed('url');
    return { connection, message };
  },
  async handle({ db, keys, caller, prepared: { connection, message } }) {
    await connectIntegration(db, keys, NAME, connection, caller.user_id);
    if (message) await recordTestMessage(db, { ...message, text: TEST_TEXT }, true);
    return await showGateway(db, caller);
  },
});

export const test = command('POST /api/smsgateway/test', {
  summary: 'Test the text-message gateway',
  description:
    'Sends one message. Returns 200 with the failure if the provider rejects it. Test messages count against the daily limit.',
  addition: ADDITION,
  access: integrationStates.can('test'),
  body: SmsTestInput,
  reply: ok(ConnectionTest),
  faults: [NotConnected, DailyLimit],
  async prepare({ read, keys, body, ...context }) {
    const gateway = await read(async (db) => {
      const open = await openConnected<SmsGatewaySettings, SmsSecrets>(db, keys, NAME);
      await assertBelowLimit(db, open.settings);
      return open;
    });
    await assertCountry(gateway.settings, body.to);
    const message = { id: orderedId(), to: body.to };
    return { gateway, message, result: (await testWithMessage(gateway, message, toSendContext(context))).result() };
  },
  async handle({ db, prepared: { gateway, message, result } }) {
    await recordTestMessage(db, { ...message, text: TEST_TEXT }, result.ok);
    if (result.ok) await recordSuccess(db, gateway);
    return result;
  },
});

export const disconnect = command('POST /api/smsgateway/disconnect', {
  summary: 'Disconnect the text-message gateway',
  description: 'Deletes the settings. Queued messages fail. Disconnecting again changes nothing.',
  addition: ADDITION,
  access: integrationStates.can('disconnect'),
  reply: ok(SmsGateway),
  async handle({ db, caller }) {
    await disconnectIntegration(db, NAME, caller);
    await failQueuedMessages(db);
    return await showGateway(db, caller);
  },
});
