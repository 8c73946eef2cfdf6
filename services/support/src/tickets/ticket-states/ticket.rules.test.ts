import { describe, expect, test } from '@jest/globals';
import { actionTo, ticketStates } from './ticket.rules.ts';

/** Statuses that each status can change to. Replies to closed tickets change no status. */
const ALLOWED: Record<string, string[]> = {
  new: ['open', 'pending', 'on_hold', 'resolved', 'merged', 'spam'],
  open: ['pending', 'on_hold', 'resolved', 'merged', 'spam'],
  pending: ['open', 'on_hold', 'resolved', 'merged', 'spam'],
  on_hold: ['open', 'pending', 'resolved', 'merged', 'spam'],
  resolved: ['open', 'closed', 'merged'],
  closed: [],
  merged: [],
  spam: ['open'],
};

describe('the status of a ticket', () => {
  test.each(Object.entries(ALLOWED))('can change from %s to %j only', (from, targets) => {
    const reached = ticketStates.states.filter((to) => actionTo(from, to) !== undefined);
    expect(new Set(reached)).toEqual(new Set(targets));
  });
});
