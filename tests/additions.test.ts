/** Operations that the specification does not list: each states the reason why it exists. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { ownOperations } from '@suite/gateway/operations';
import { declaredServices } from '@suite/testing/declared';

const table = new URL('../../shared/spec/endpoints.tsv', import.meta.url);

/** The routes of the specification as `METHOD path`. It is not part of the repository. */
const specified = new Set(
  existsSync(table)
    ? readFileSync(table, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((row) => row.split('\t').slice(1, 3).join(' '))
    : [],
);

(specified.size > 0 ? describe : describe.skip).each([...declaredServices, ownOperations])(
  'the $name operations',
  (service) => {
    const operations = [...operationsOf(service).values()].map(({ method, path, addition }) => ({
      route: `${method} ${path}`,
      addition,
    }));

    test('state a reason if the specification does not list them', () => {
      const unexplained = operations.filter(({ route, addition }) => !specified.has(route) && !addition);
      expect(
        unexplained.map(
          ({ route }) => `${route}: copy the spelling of the specification, or declare the reason as \`addition\``,
        ),
      ).toEqual([]);
    });

    test('state no reason if the specification lists them', () => {
      expect(operations.filter(({ route, addition }) => specified.has(route) && addition)).toEqual([]);
    });

    test('state a reason of one or two sentences', () => {
      const reasons = operations.flatMap(({ addition }) => addition ?? []);
      expect(reasons.filter((reason) => !/^[A-Z].{20,180}\.$/s.test(reason))).toEqual([]);
    });
  },
);
