process.on('SIGTERM',()=>process.exit(0));
process.on('SIGTERM',()=>process.exit(0));
process.on('SIGTERM', () => process.exit(0));
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
const app = express();
if (process.env.LEAN) {
  app.disable('etag');
  app.disable('x-powered-by');
}
app.use(createProxyMiddleware({ target: 'http://127.0.0.1:5010', ...(process.env.LEAN && { ejectPlugins: true }) }));
app.listen(Number(process.env.PORT), '127.0.0.1');
