/**
 * Factories for integrations, and their example calls. `$texting` is the ID of a shared record, and `$texting!` the ID
 * of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

export const NUMBER = '+491701234567';
const TEMPLATE = '{"to":"{{to}}","text":"{{text}}","from":"{{sender}}","ref":"{{id}}","report":"{{report_url}}"}';
/** Settings of a gateway that sends to the fake. */
export const gateway = (recorder: ExampleRecorder) => ({
  url: recorder.providers.sms,
  headers: { Authorization: 'Bearer key-of-the-provider' },
  body_template: TEMPLATE,
  sender: 'Northwind',
  id_path: 'id',
});

/** Signs the owner in, so that a call waits until its factory has connected the integration. */
const signInAsOwner = ({ owner, call }: ExampleRecorder): Promise<Row> =>
  call('sessions.login', { as: '', body: { email: owner.email, password: owner.password } });

const TOKEN = 'token-of-an-application';
const connectAccount = (recorder: ExampleRecorder) =>
  recorder.call('socialAccount.connect', { body: { server_url: recorder.providers.social, access_token: TOKEN } });

const calendarOf = ({ providers }: ExampleRecorder) => ({
  server_url: providers.calendar,
  username: 'kim',
  password: 'password-for-an-application',
});

/** Factories for the examples of integrations. */
export const integrations: Record<string, ExampleFactory> = {
  provider: async ({ providers: { sms, social, calendar } }) => ({ id: '', sms, social, calendar }),
  texting: async (recorder) => {
    await recorder.call('smsGateway.connect', { body: { ...gateway(recorder), test_to: NUMBER } });
    const { report = '', ref = '' } = recorder.providers.lastMessage();
    return { ...(await signInAsOwner(recorder)), id: ref, report_token: report.split('/').at(-1) };
  },
  allowing: async (recorder) => {
    const { authorize_url } = await recorder.call('socialAccount.connect', {
      body: { server_url: recorder.providers.social },
    });
    const state = new URL(String(authorize_url)).searchParams.get('state');
    return { id: '', state, code: 'code-of-the-server' };
  },
  posting: async (recorder) => {
    await connectAccount(recorder);
    return await signInAsOwner(recorder);
  },
  keeping_list: async (recorder) => {
    await recorder.call('todoList.connect', { body: calendarOf(recorder) });
    return await signInAsOwner(recorder);
  },
  social_post: async (recorder, serial) => {
    await connectAccount(recorder);
    return await recorder.call('socialPosts.create', { body: { text: `Workshop ${serial}: open on Saturdays.` } });
  },
};

/** Example calls for integrations. */
export const integrationCalls: Record<string, ExampleCall> = {
  'smsGateway.connect': {
    body: {
      url: '$provider.sms',
      headers: { Authorization: 'Bearer key-of-the-provider' },
      body_template: TEMPLATE,
      sender: 'Northwind',
      id_path: 'id',
      test_to: NUMBER,
    },
  },
  'todoList.connect': {
    body: {
      server_url: '$provider.calendar',
      username: 'kim',
      password: 'password-for-an-application',
      direction: 'both',
    },
  },
  'todoList.test': { as: '$keeping_list!.access_token' },
  'todoList.disconnect': { body: { remove_remote: false } },
  'smsGateway.test': { as: '$texting!.access_token', body: { to: NUMBER } },
  'smsMessages.send': { as: '$texting!.access_token', body: { to: NUMBER, text: 'Your bicycle is ready.' } },
  'smsMessages.report': {
    as: '',
    path: { report_token: '$texting!.report_token' },
    body: { id: '$texting!', status: 'delivered' },
  },
  'socialAccount.connect': { body: { server_url: '$provider.social', access_token: TOKEN } },
  'socialAccount.callback': { as: '', query: { state: '$allowing!.state', code: 'code-of-the-server' } },
  'socialAccount.test': { as: '$posting!.access_token' },
  'socialPosts.create': {
    as: '$posting!.access_token',
    body: { text: 'The workshop is open on Saturdays.', visibility: 'public', language: 'en' },
  },
};
