/** The gateway's baseline: express and http-proxy-middleware, without any other gateway function. */
import { Agent, createServer } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { childSettings, listenForParent } from '../../bench/load/child-process.ts';

const { target } = childSettings<{ target: string }>();

const app = express().disable('etag').disable('x-powered-by');
const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 64 });
app.use(createProxyMiddleware({ target, agent }));
listenForParent(createServer(app));
