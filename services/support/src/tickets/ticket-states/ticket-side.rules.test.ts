import { describe, expect, test } from '@jest/globals';
import { makeCaller } from '@suite/testing';
import { actionsFor, publicStatus, sideOf } from './ticket-side.rules.ts';

describe('the public status of a ticket', () => {
  test.each([
    ['new', 'open'],
    ['open', 'open'],
    ['on_hold', 'open'],
    ['pending', 'waiting_for_you'],
    ['resolved', 'resolved'],
    ['closed', 'closed'],
    ['spam', 'closed'],
  ])('maps %s to %s for a requester', (status, word) => {
    expect(publicStatus(status)).toBe(word);
  });
});

describe('the side of a ticket', () => {
  const ticket = { requester_user_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' };
  test.each([
    ['owner', undefined, 'agent'],
    ['staff', undefined, 'agent'],
    ['client', undefined, 'requester'],
    ['vendor', undefined, 'requester'],
    ['owner', ticket.requester_user_id, 'requester'],
    ['staff', ticket.requester_user_id, 'requester'],
  ] as const)('depends on the caller: kind %s with user ID %s is the %s', (kind, user_id, side) => {
    expect(sideOf(makeCaller({ kind, ...(user_id && { user_id }) }), ticket)).toBe(side);
  });

  test('determines the caller’s actions, which are equal for equal public statuses', () => {
    const rights = { can: ['ticket.reply', 'ticket.update', 'ticket.note', 'ticket.delete'] };
    const requester = makeCaller({ ...rights, user_id: ticket.requester_user_id });
    const offered = (status: string) => actionsFor(requester, { ...ticket, status });
    expect(offered('new')).toEqual(offered('on_hold'));
    expect(offered('new')).toEqual(['reply', 'resolve']);
    expect(offered('resolved')).toEqual(['reply', 'close', 'rate']);
    expect(actionsFor(makeCaller(rights), { ...ticket, status: 'resolved' })).toEqual([
      'reopen',
      'merge',
      'update',
      'delete',
      'close',
      'reply',
      'note',
    ]);
  });
});
