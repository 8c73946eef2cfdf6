/** Factories for integrations, and their example calls. */
import type { Bench, ExampleCall, Recipe, Row } from '../bench/bench.ts';

export const NUMBER = '+491701234567';
const TEMPLATE = '{"to":"{{to}}","text":"{{text}}","from":"{{sender}}","ref":"{{id}}","report":"{{report_url}}"}';
/** Settings of a gateway that sends to the fake. */
export const gateway = (bench: Bench) => ({
  url: bench.providers.sms,
  headers: { Authorization: 'Bearer key-of-the-provider' },
  body_template: TEMPLATE,
  sender: 'Northwind',
  id_path: 'id',
});

/** Signs the owner in, so that a call waits until its factory has connected the integration. */
const signedIn = ({ owner, call }: Bench): Promise<Row> =>
  call('sessions.login', { as: '', body: { email: owner.email, password: owner.password } });

const TOKEN = 'token-of-an-application';
const connectAccount = (bench: Bench) =>
  bench.call('socialAccount.connect', { body: { server_url: bench.providers.social, access_token: TOKEN } });

const calendarOf = ({ providers }: Bench) => ({
  server_url: providers.calendar,
  username: 'kim',
  password: 'password-for-an-application',
});

/** Factories for the examples of integrations. */
export const integrations: Record<string, Recipe> = {
  provider: async ({ providers: { sms, social, calendar } }) => ({ id: '', sms, social, calendar }),
  texting: async (bench) => {
    await bench.call('smsGateway.connect', { body: { ...gateway(bench), test_to: NUMBER } });
    const { report = '', ref = '' } = bench.providers.lastMessage();
    return { ...(await signedIn(bench)), id: ref, report_token: report.split('/').at(-1) };
  },
  allowing: async (bench) => {
    const { authorize_url } = await bench.call('socialAccount.connect', {
      body: { server_url: bench.providers.social },
    });
    const state = new URL(String(authorize_url)).searchParams.get('state');
    return { id: '', state, code: 'code-of-the-server' };
  },
  posting: async (bench) => {
    await connectAccount(bench);
    return await signedIn(bench);
  },
  keeping_list: async (bench) => {
    await bench.call('todoList.connect', { body: calendarOf(bench) });
    return await signedIn(bench);
  },
  social_post: async (bench, serial) => {
    await connectAccount(bench);
    return await bench.call('socialPosts.create', { body: { text: `Workshop ${serial}: open on Saturdays.` } });
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
