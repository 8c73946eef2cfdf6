import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { architectureDiagram, withSection } from './architecture.ts';
import { decisionsText } from './decisions.ts';
import { settingsTable } from './settings.ts';

describe('the architecture diagram', () => {
  test('draws calls and events, and no arrow from a service to itself', () => {
    const picture = architectureDiagram([
      { name: 'crm', title: 'Sales', calls: ['finance'], subscribesTo: ['crm', 'finance'] },
      { name: 'finance', title: 'Books', calls: ['crm'], subscribesTo: ['crm'] },
    ]);
    expect(picture.split('\n')).toEqual(
      expect.arrayContaining(['  crm --> finance', '  finance --> crm', '  finance -.-> crm', '  crm -.-> finance']),
    );
  });

  test('omits the arrows of a service without calls and subscriptions', () => {
    expect(architectureDiagram([{ name: 'crm', title: 'Sales', calls: [], subscribesTo: ['crm'] }])).not.toMatch(
      /crm (?:-->|-\.->)|-\.-> crm/,
    );
  });

  test('replaces the section of a page, and reports a page without markers', () => {
    expect(withSection('a\n<!-- x -->\nold\n<!-- /x -->\nb', 'x', 'new')).toBe('a\n<!-- x -->\nnew\n<!-- /x -->\nb');
    expect(() => withSection('a', 'x', 'new')).toThrow('<!-- x -->');
  });
});

describe('the page of decisions', () => {
  const page = (text: string) => decisionsText([{ path: 'services/crm/src/leads/lead.ts', text }]);

  test.each([
    ['a comment of one line', 'x;\n  // Chosen: one page, as readers expect.\ny;', '- One page, as readers expect. ('],
    ['several lines', '// Chosen: a rule that\n// takes two lines.\nconst a = 1;', '- A rule that takes two lines. ('],
    ['a doc comment', '/**\n * Returns a.\n * Chosen: the first\n * one.\n * @throws b\n */', '- The first one. ('],
    ['a short doc comment', '/** Chosen: half an hour. */\nconst a = 1;', '- Half an hour. ('],
    ['two in one comment', '/**\n * Chosen: one\n * way. Chosen: the other\n * way.\n */', '- One way. ('],
    ['the second of a comment', '/**\n * Chosen: one\n * way. Chosen: the other\n * way.\n */', '- The other way. ('],
    ['SQL', '-- Chosen: by day,\n-- and not by month.\nSELECT 1;', '- By day, and not by month. ('],
  ])('contains %s', (_, text, expected) => {
    expect(page(text)).toContain(expected);
  });

  test('names the file and groups by service', () => {
    expect(page('// Chosen: a.')).toContain('## services/crm\n\n- A. ([lead.ts](../services/crm/src/leads/lead.ts))');
  });
});

test('the table of settings shows the default, or that a setting is required', () => {
  const table = settingsTable({
    services: {
      PORT: z.string().transform(Number).describe('Port of the process.'),
      WAIT_MS: z.string().transform(Number).default(2_000).describe('Longest wait.'),
      HOSTS: z.string().default('').describe('Trusted hosts.'),
    },
    gateway: { PUBLIC_URL: z.url().optional().describe('Public address.') },
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| `PORT` | services | required | Port of the process. |',
    '| `WAIT_MS` | services | `2000` | Longest wait. |',
    '| `HOSTS` | services |  | Trusted hosts. |',
    '| `PUBLIC_URL` | gateway |  | Public address. |',
  ]);
});
