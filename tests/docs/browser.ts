/** Chromium as packaged by Debian, headless and without background activity. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const INSTALL_MS = 240_000;

/** Chromium must send no requests of its own, or the test could not attribute them to the page. */
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

const withoutOutput = (...words: [string, ...string[]]): boolean =>
  spawnSync(words[0], words.slice(1), {
    stdio: 'ignore',
    timeout: INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

/** Returns the path of Chromium. Installs it first if root and apt suffice. */
export function chromiumProgram(): string | undefined {
  const found = onPath();
  if (found || process.platform !== 'linux' || process.getuid?.() !== 0) return found;
  const isInstalled =
    withoutOutput('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium') ||
    (withoutOutput('apt-get', 'update', '-qq') &&
      withoutOutput('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'));
  return isInstalled ? onPath() : undefined;
}

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** Starts the browser with a new profile. */
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
