const connecting = 'the specification only shows integrations: somebody connects, tries and ends them';
const messages = 'a gateway that nobody can send through, or see the messages of, is of no use';
const posts = 'an account that nobody can post as, or see the posts of, is of no use';

/** Routes of integrations that the specification does not list, each with its reason. */
export const ofIntegrations: Readonly<Record<string, string>> = {
  'POST /api/todolist/connect': connecting,
  'POST /api/todolist/test': connecting,
  'POST /api/todolist/disconnect': connecting,
  'POST /api/smsgateway/connect': connecting,
  'POST /api/smsgateway/test': connecting,
  'POST /api/smsgateway/disconnect': connecting,
  'GET /api/smsgateway/messages': messages,
  'POST /api/smsgateway/send': messages,
  'POST /api/smsgateway/report/{report_token}': 'providers report by a call whether a message was delivered',
  'POST /api/socialpost/connect': connecting,
  'GET /api/socialpost/callback': 'a social server sends people back here who allowed the connection',
  'POST /api/socialpost/test': connecting,
  'POST /api/socialpost/disconnect': connecting,
  'POST /api/socialpost/post': posts,
  'GET /api/socialpost/posts': posts,
  'DELETE /api/socialpost/post/{id}': posts,
};
