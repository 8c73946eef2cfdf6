/** A lead form on a page of another site, in a real browser. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import type { Page } from 'playwright-core';
import { type Browser, chromiumProgram, openBrowser } from '../docs/browser.ts';

/** The accessibility checker axe, loaded in the page. */
interface Axe {
  run(
    within: object,
    options: { runOnly: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A site with one page at its own origin. */
interface Site {
  origin: string;
  server: Server;
  page: { body: string };
}

async function openSite(): Promise<Site> {
  const page = { body: '' };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1>${page.body}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server, page };
}

const program = chromiumProgram();
const suite = program ? await useSharedSuite() : undefined;

if (program && suite) {
  describe('a form on a page of another site', () => {
    let browser: Browser;
    let workspace: Workspace;
    let shop: Site;
    let foreign: Site;
    let page: Page;
    const asked: URL[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      workspace = await openWorkspace(suite);
      [shop, foreign] = [await openSite(), await openSite()];
      const settings = {
        name: 'Contact',
        allowed_origins: [shop.origin],
        fields: [
          { name: 'name', type: 'text', label: 'Name', required: true },
          { name: 'email', type: 'email', label: 'E-mail', required: true },
          { name: 'size', type: 'select', label: 'Size', options: ['small', 'large'] },
          { name: 'message', type: 'textarea', label: 'Message' },
        ],
        texts: { en: { title: 'Write to us', intro: 'We answer today.', submit: 'Send', thanks: 'Thank you!' } },
        consent: { text: 'You may write to me.', privacy_url: `${shop.origin}/privacy` },
      };
      const { id } = (await workspace.owner.post('/api/widget/create', settings)).body.data;
      const { snippet } = (await workspace.owner.get(`/api/widget/show/${id}`)).body.data;
      shop.page.body = snippet;
      foreign.page.body = snippet;
      browser = await openBrowser(program);
      browser.context.on('request', (request) => asked.push(new URL(request.url())));
      page = await browser.context.newPage();
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${shop.origin}/?utm_source=fair`);
      await page.frameLocator('iframe').getByRole('heading', { name: 'Write to us' }).waitFor({ timeout: 30_000 });
    }, 120_000);

    afterAll(async () => {
      await browser?.close();
      for (const site of [shop, foreign]) site?.server.close();
    });

    const form = () => page.frameLocator('iframe');
    const faults = async () => {
      const frame = page.frames().find((one) => one !== page.mainFrame())!;
      await frame.evaluate(AXE);
      const { violations } = await frame.evaluate((rules) => {
        const { axe, document } = globalThis as unknown as { axe: Axe; document: object };
        return axe.run(document, { runOnly: rules });
      }, WCAG_AA);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
    };

    test('has the height of its content, and is accessible', async () => {
      expect(await faults()).toEqual([]);
      const height = await page
        .locator('iframe')
        .evaluate((frame) => (frame as unknown as { clientHeight: number }).clientHeight);
      expect(height).toBeGreaterThan(300);
      expect(height).not.toBe(480);
    });

    test('reports missing fields, and is then sent', async () => {
      await form().getByRole('button', { name: 'Send' }).click();
      const name = form().getByLabel('Name');
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      expect(await form().locator('#error-field-name').textContent()).not.toBe('');
      expect(await faults()).toEqual([]);
      await name.fill('Ada Lovelace');
      await form().getByLabel('E-mail').fill('ada@engines.example');
      await form().getByLabel('Size').selectOption('large');
      await form().getByLabel('You may write to me.').check();
      await form().getByRole('button', { name: 'Send' }).click();
      await form().getByText('Thank you!').waitFor({ timeout: 20_000 });
      expect(await faults()).toEqual([]);
      const { data } = (await workspace.owner.get('/api/leads?email=ada@engines.example')).body;
      expect(data).toMatchObject([
        {
          name: 'Ada Lovelace',
          origin: 'widget',
          attribution: { page_url: `${shop.origin}/?utm_source=fair`, utm: { source: 'fair' } },
          consent: { text: 'You may write to me.' },
        },
      ]);
    }, 240_000);

    test('stores nothing in the browser, loads nothing from elsewhere, and logs no errors', async () => {
      expect(await browser.context.cookies()).toEqual([]);
      const kept = await page.frames()[1]!.evaluate(() => {
        const { localStorage, sessionStorage } = globalThis as unknown as Record<string, { length: number }>;
        return localStorage!.length + sessionStorage!.length;
      });
      expect(kept).toBe(0);
      const ours = new URL(suite.url).port;
      const strangers = asked.filter(({ port }) => ![ours, new URL(shop.origin).port].includes(port));
      expect(strangers.map(String)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test('does not appear on a page that is not allowed to embed it', async () => {
      const other = await browser.context.newPage();
      await other.goto(foreign.origin);
      await other.locator('iframe').waitFor({ state: 'attached' });
      await other.waitForLoadState('networkidle');
      expect(await other.frameLocator('iframe').getByRole('heading', { name: 'Write to us' }).count()).toBe(0);
    }, 240_000);
  });
} else {
  console.warn('Left out: the tests of forms in a browser. There is no Chromium here, and apt cannot install it.');
  test('forms are not tested without a browser', () => {
    expect(program).toBeUndefined();
  });
}
