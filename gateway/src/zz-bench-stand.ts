import { createServer } from 'node:http';
import { loadKeys, openLog, serveRpc, startRpcServer } from '@suite/chassis/gateway';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
const keys = loadKeys('platform', '/tmp/gwbench/keys/platform');
const body = JSON.stringify({
  data: {
    id: 'x'.repeat(36),
    name: 'Ada',
    email: 'ada@example.com',
    kind: 'owner',
    permissions: Array.from({ length: 40 }, (_, i) => `thing${i}.view`),
  },
});
createServer((q, s) => {
  s.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'x-request-id': q.headers['x-request-id'] ?? '',
  });
  s.end(body);
}).listen(5010, '127.0.0.1');
await startRpcServer({
  host: '127.0.0.1',
  port: 5011,
  keys,
  database: undefined as never,
  log: openLog('platform', 'warn'),
  services: [
    serveRpc(PlatformServiceDefinition, {
      async introspect(request) {
        return {
          user_id: '00000000-0000-4000-8000-000000000001',
          user_name: 'Ada',
          user_kind: 'owner',
          workspace_id: '00000000-0000-4000-8000-000000000002',
          role: 'owner',
          permissions: Array.from({ length: 80 }, (_, i) => `thing${i}.view`),
          record_scopes: {},
          modules: ['crm'],
          timezone: 'UTC',
          currency: 'EUR',
          session_id: request.credential!.value,
          api_key_id: '',
        } as never;
      },
      async batchGetUsers() {
        return { users: [] };
      },
      async ensureClientUser() {
        return {} as never;
      },
    }),
  ],
});
console.log('stand up');
