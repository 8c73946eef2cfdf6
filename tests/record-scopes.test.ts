import { expect, test } from '@jest/globals';
import type { Service, Visibility } from '@suite/chassis/declarations';
import { SCOPED } from '@suite/platform/record-scopes';
import { declared } from '@suite/testing/declared';

/** The conditions of a table that a record scope narrows. */
function narrowed(visible: Visibility) {
  if (visible.rule !== 'conditions') return [];
  const { noun, gated = true, all = 'TRUE', limited } = visible.conditions;
  return JSON.stringify(limited) === JSON.stringify(all) ? [] : [{ noun, gated }];
}

const nounsOf = ({ visibility }: Service) => visibility.flatMap(narrowed);
const nouns = new Map(declared.flatMap(nounsOf).map(({ noun, gated }) => [noun, gated]));

test('platform accepts a record scope for exactly the nouns whose scope a service reads', () => {
  expect(Object.keys(SCOPED).toSorted()).toEqual([...nouns.keys()].toSorted());
});

test('platform knows which scopes count without the permission to view the noun', () => {
  const always = Object.entries(SCOPED).filter(([, counts]) => counts !== 'view');
  const ungated = [...nouns].filter(([, gated]) => !gated);
  expect(always.map(([noun]) => noun).toSorted()).toEqual(ungated.map(([noun]) => noun).toSorted());
});
