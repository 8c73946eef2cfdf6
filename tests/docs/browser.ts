/** Chromium as Debian packages it, without a screen and without a will of its own. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const INSTALL_MS = 240_000;

/** It must ask for nothing but what the page asks for, or the test could not tell who asked. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

const quietly = (...words: [string, ...string[]]): boolean =>
  spawnSync(words[0], words.slice(1), {
    stdio: 'ignore',
    timeout: INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

/** Where Chromium is; installed first where that takes no more than root and apt. */
export function chromiumProgram(): string | undefined {
  const found = onPath();
  if (found || process.platform !== 'linux' || process.getuid?.() !== 0) return found;
  const isInstalled =
    quietly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium') ||
    (quietly('apt-get', 'update', '-qq') &&
      quietly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'));
  return isInstalled ? onPath() : undefined;
}

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** Starts the browser with a profile of its own. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'suite-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: FLAGS,
    viewport: { width: 1_400, height: 900 },
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
