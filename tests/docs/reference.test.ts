import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ApiDocument, apiDocument } from '../suite/api-document.ts';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { type Browser, chromiumProgram, openBrowser } from './browser.ts';

/** The accessibility checker axe, loaded in the page. */
interface Axe {
  run(
    within: object,
    options: { runOnly: string[] },
  ): Promise<{ violations: { nodes: { html: string; any: { message: string }[] }[] }[] }>;
}
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Clickable {
  click(): void;
}

const program = chromiumProgram();
const suite = program ? await useSharedSuite() : undefined;

if (program && suite) {
  describe('the page of the API docs at /docs', () => {
    const { gateway } = suite;
    let browser: Browser;
    let page: Page;
    let document: ApiDocument;
    let token: string;
    const asked: URL[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      token = (await openWorkspace(suite)).owner.access_token;
      document = await apiDocument(gateway);
      browser = await openBrowser(program);
      browser.context.on('request', (request) => asked.push(new URL(request.url())));
      page = await browser.context.newPage();
      page.setDefaultTimeout(120_000);
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${gateway}/docs`);
      await page.getByRole('heading', { name: 'Suite', exact: true }).waitFor();
    }, 600_000);

    afterAll(() => browser?.close());

    async function closeDialog(): Promise<void> {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }

    async function openFirstFound(summary: string): Promise<void> {
      await page
        .getByRole('button', { name: /search/i })
        .first()
        .press('Enter');
      await page.getByRole('combobox').fill(summary);
      await page
        .getByRole('option', { name: new RegExp(summary) })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    }

    test('opens the first search result on Enter', async () => {
      await openFirstFound('List sales orders');
      await page.waitForURL(/#tag\/sales-orders\/GET/);
      expect(await page.getByRole('combobox').count()).toBe(0);
    });

    test('sends test requests to its own origin, as the logged-in user', async () => {
      await page.getByPlaceholder('Token').first().fill(token);
      await openFirstFound('Get your account');
      await page.locator('button.show-api-client-button', { hasText: '(get /api/user)' }).click();
      const answered = page.waitForResponse(`${gateway}/api/user`);
      await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
      const answer = await answered;
      expect(answer.status()).toBe(200);
      expect(await answer.json()).toMatchObject({ data: { role: { key: 'owner' } } });
      await page.getByRole('dialog').getByText('200 OK').waitFor();
      await closeDialog();
    });

    test.each(['light', 'dark'])('is readable: its %s colours have the contrast of WCAG AA', async (mode) => {
      await page.evaluate((name) => {
        const { body } = (globalThis as unknown as { document: { body: { className: string } } }).document;
        body.className = body.className.replace(/(?:light|dark)-mode/, `${name}-mode`);
      }, mode);
      await page.evaluate(readFileSync(AXE, 'utf8'));
      const found = await page.evaluate(() => {
        const { axe, document: shown } = globalThis as unknown as { axe: Axe; document: object };
        return axe.run(shown, { runOnly: ['color-contrast'] });
      });
      const pale = found.violations.flatMap(({ nodes }) => nodes);
      expect(pale.map(({ html, any }) => `${html} ${any[0]?.message}`)).toEqual([]);
    });

    test('sends a list request without filters that the reader has not chosen', async () => {
      await openFirstFound('List sales orders');
      await page.locator('button.show-api-client-button', { hasText: '(get /api/sales/sales-orders)' }).click();
      const sent = page.waitForRequest((request) => request.url().startsWith(`${gateway}/api/sales/sales-orders`));
      await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
      // Closing a dialog before its response arrives causes an error.
      await page.getByRole('dialog').getByText('200 OK').waitFor();
      expect(new URL((await sent).url()).search).toBe('?per_page=2');
      await closeDialog();
    });

    test('shows every operation in its sidebar', async () => {
      // Last, because everything is slow while all groups are open. Opens all with one script: the page redraws its
      // hundreds of entries after each separate click.
      const closed = page.getByRole('button', { name: /^Open Group/ });
      while ((await closed.count()) > 0) {
        await closed.evaluateAll((buttons) => buttons.forEach((button) => (button as unknown as Clickable).click()));
      }
      const shown = await page.locator('aside a, nav a').allTextContents();
      const summaries = Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map((described) => (described as unknown as { summary: string }).summary),
      );
      expect(summaries.length).toBeGreaterThan(100);
      expect(summaries.filter((summary) => !shown.some((text) => text.trim().startsWith(summary)))).toEqual([]);
    });

    test('loads nothing from other origins and reports no errors', async () => {
      await page.mouse.wheel(0, 100_000);
      await page.waitForLoadState('networkidle');
      expect(asked.map(({ pathname }) => pathname)).toEqual(
        expect.arrayContaining(['/docs', '/openapi.json', '/api/user']),
      );
      const strangers = asked.filter(
        ({ protocol, origin }) => !['data:', 'blob:'].includes(protocol) && origin !== gateway,
      );
      expect(strangers.map(String)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });
} else {
  console.warn('Left out: the tests of /docs in a browser. There is no Chromium here, and apt cannot install it.');
  test('the API docs at /docs are not tested without a browser', () => {
    expect(program).toBeUndefined();
  });
}
