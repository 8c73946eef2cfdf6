const connecting = 'the specification only shows integrations: users must be able to connect, test and disconnect them';
const messages = 'a gateway is only useful if users can send through it and view its messages';
const posts = 'a social account is only useful if users can post with it and view its posts';

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
  'POST /api/smsgateway/report/{report_token}': 'providers report the delivery of messages by a call',
  'POST /api/socialpost/connect': connecting,
  'GET /api/socialpost/callback': 'a social server redirects users to this route after they allow the connection',
  'POST /api/socialpost/test': connecting,
  'POST /api/socialpost/disconnect': connecting,
  'POST /api/socialpost/post': posts,
  'GET /api/socialpost/posts': posts,
  'DELETE /api/socialpost/post/{id}': posts,
};
