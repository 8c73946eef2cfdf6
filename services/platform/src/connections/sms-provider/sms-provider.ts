/** Settings of the text-message gateway, and the calls to its provider. */
import { unescape } from 'node:querystring';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type Outgoing, OutgoingFailure } from '@suite/outbound-http';
import { startTrial, StepFailed, type ConnectionTrial, withCallerTimeout } from '../integrations/connection-test.ts';
import { isMasked, maskSecret, MaskedValue } from '../integrations/integration.rules.ts';
import type { Connection, OpenIntegration } from '../integrations/integration.ts';
import { newWorkspaceToken } from '../../tokens/workspace-token.ts';
import { type SendResult, readResponse } from './provider-response.rules.ts';
import type { SmsGatewayInput, SmsGatewaySettings } from './sms-provider.schema.ts';
import { assertTemplate, fillTemplate, type TemplateValues } from './sms-template.rules.ts';

/** Secrets of the gateway. */
export interface SmsSecrets {
  url: string;
  headers: Record<string, string>;
  /** Token in the address for delivery reports. */
  report_token: string;
  report_token_hash: string;
}

export type OpenSmsGateway = OpenIntegration<SmsGatewaySettings, SmsSecrets>;
type SmsConnection = Connection<SmsGatewaySettings, SmsSecrets>;

const RESERVED_HEADERS = [
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
];
const JSON_TYPE = 'application/json';
const DEFAULTS = {
  method: 'POST',
  id_path: null,
  success_path: null,
  report_id_path: 'id',
  report_status_path: 'status',
  allowed_countries: [],
  daily_limit: 500,
  reminders: false,
} as const satisfies Partial<SmsGatewaySettings>;

/** Returns the media type of the body from the headers. */
function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type');
  return name === undefined ? JSON_TYPE : headers[name]!;
}

/** Returns an address with its query masked. */
function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search ? '?••••' : '');
}

function assertHeaders(headers: Readonly<Record<string, string>>): void {
  const reserved = Object.keys(headers).find((name) => RESERVED_HEADERS.includes(name.toLowerCase()));
  if (reserved !== undefined) throw invalid('headers', `The header ${reserved} is set by the connection itself.`);
}

/** Rejects a masked value in the request. @throws MaskedValue */
function assertUnmasked({ url = '', headers = {} }: SmsGatewayInput): void {
  // Unlike other Node.js functions, `unescape` also decodes bytes that are not UTF-8.
  if (isMasked(unescape(url))) throw MaskedValue({ field: 'url' });
  const name = Object.entries(headers).find(([, value]) => isMasked(value))?.[0];
  if (name !== undefined) throw MaskedValue({ field: `headers.${name}` });
}

function requireField<T>(field: string, value: T | undefined, sentence: string): T {
  if (value === undefined) throw invalid(field, sentence);
  return value;
}

/**
 * Returns the requested connection. Omitted fields keep their current values.
 * @throws MaskedValue, or names the field that is missing or wrong
 */
export function mergeSettings(
  workspace_id: string,
  { test_to: _, ...input }: SmsGatewayInput,
  existing: OpenSmsGateway | undefined,
): SmsConnection {
  assertUnmasked(input);
  const url = requireField('url', input.url ?? existing?.secrets.url, 'Enter the URL of the provider.');
  const headers = input.headers ?? existingHeaders(existing, url);
  const before = { ...DEFAULTS, ...existing?.settings };
  const { sender, body_template } = { ...before, ...withoutUndefined(input) };
  const settings: SmsGatewaySettings = {
    ...before,
    ...withoutUndefined(input),
    sender: requireField('sender', sender, 'Enter the sender.'),
    body_template: requireField('body_template', body_template, 'Enter the body of the request.'),
    url: maskUrl(url),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)])),
  };
  assertHeaders(headers);
  assertTemplate(settings.body_template, mediaTypeOf(headers));
  const report = existing?.secrets ?? reportToken(workspace_id);
  const secrets = { url, headers, report_token: report.report_token, report_token_hash: report.report_token_hash };
  const capabilities = [
    'send',
    ...(settings.body_template.includes('report_url') || settings.id_path ? ['reports'] : []),
  ];
  const isComplete = [input.url, input.headers, input.sender, input.body_template].every(
    (value) => value !== undefined,
  );
  const made_from = isComplete ? undefined : existing;
  return {
    settings,
    secrets,
    capabilities,
    report_token_hash: secrets.report_token_hash,
    reused_connection: made_from,
  };
}

const isPublicHeader = (name: string): boolean => ['content-type', 'accept'].includes(name.toLowerCase());
const maskHeader = (name: string, value: string): string => (isPublicHeader(name) ? value : maskSecret(value));

/**
 * Returns the stored headers. Secrets are sent only to the server that they were entered for. @throws a 422 fault that
 * names `headers`
 */
function existingHeaders(existing: OpenSmsGateway | undefined, url: string): SmsSecrets['headers'] {
  if (!existing) return {};
  const { secrets } = existing;
  const isSame = new URL(secrets.url).origin === new URL(url).origin;
  if (!isSame && !Object.keys(secrets.headers).every(isPublicHeader))
    throw invalid('headers', 'Enter the headers for this server. Headers of another server are never sent to it.');
  return secrets.headers;
}

function reportToken(workspace_id: string) {
  const { token, hash } = newWorkspaceToken(workspace_id);
  return { report_token: token, report_token_hash: hash };
}

/** Returns the fields that are not undefined. */
const withoutUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** Message for the provider. */
export type SmsRequest = Pick<TemplateValues, 'to' | 'text' | 'id'>;

/** Dependencies for sending a message. */
export interface SendContext {
  outgoing: Outgoing;
  workspace_id: string;
  public_url: string;
}

/** Returns the request that sends a message to the provider. */
function toRequest(
  { settings, secrets }: Pick<SmsConnection, 'settings' | 'secrets'>,
  message: SmsRequest,
  public_url: string,
) {
  const { url, headers, report_token } = secrets;
  const report_url = `${public_url}/api/smsgateway/report/${report_token}`;
  const media_type = mediaTypeOf(headers);
  const values = { ...message, sender: settings.sender, report_url };
  const body = fillTemplate(settings.body_template, values, media_type);
  return { url, method: settings.method, headers: { 'content-type': media_type, ...headers }, body };
}

/** Sends a message to the provider, once. */
export async function sendMessage(
  connection: Pick<SmsConnection, 'settings' | 'secrets'>,
  message: SmsRequest,
  { outgoing, workspace_id, public_url }: SendContext,
): Promise<SendResult> {
  try {
    const response = await outgoing.call(workspace_id, toRequest(connection, message, public_url));
    const result = readResponse(connection.settings, { status: response.status, text: response.text() });
    return result.failure ? { ...result, retry_after: response.headers['retry-after'] } : result;
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    return { failure: { code: error.code, message: error.message }, isTemporary: error.retryable };
  }
}

/** Text of a test message. */
export const TEST_TEXT = 'Test message from your business suite. Text messages are set up correctly.';

/** Tests a connection with one message. */
export async function testWithMessage(
  connection: Pick<SmsConnection, 'settings' | 'secrets'>,
  message: Omit<SmsRequest, 'text'>,
  toSendContext: SendContext,
): Promise<ConnectionTrial> {
  const trial = startTrial();
  await trial.step('server', 'The server responds.', () => callServer(connection.secrets, toSendContext));
  await trial.step('message', `A message was sent to ${message.to}.`, async () => {
    const { failure } = await sendMessage(connection, { ...message, text: TEST_TEXT }, toSendContext);
    if (failure) throw new StepFailed(failure.message);
  });
  return trial;
}

/** Tests whether the provider's server is reachable. Without a message, the credentials remain untested. */
export async function testServer(connection: SmsConnection, toSendContext: SendContext): Promise<ConnectionTrial> {
  const trial = startTrial();
  await trial.step('server', 'The server responds.', () => callServer(connection.secrets, toSendContext));
  return trial;
}

const callServer = ({ url }: SmsSecrets, { outgoing, workspace_id }: SendContext) =>
  outgoing.call(workspace_id, { url, method: 'HEAD' });

/** Returns the context for sending messages, from the context of an operation. */
export const toSendContext = ({
  caller,
  outgoing,
  public_url,
}: {
  caller: Caller;
  outgoing: Outgoing;
  public_url: string;
}): SendContext => ({ outgoing: withCallerTimeout(outgoing), public_url, workspace_id: caller.workspace_id });
