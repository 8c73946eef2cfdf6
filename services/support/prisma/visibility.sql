-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.
SELECT suite_visible('tickets', $$CASE (SELECT suite_reach('ticket')) WHEN 'all' THEN tickets.deleted_at IS NULL WHEN 'own' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'team' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'client' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) WHEN 'vendor' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) ELSE FALSE END$$);
SELECT suite_visible('replies', $$EXISTS (SELECT FROM tickets WHERE tickets.id = replies.ticket_id)$$);
SELECT suite_visible('files', $$EXISTS (SELECT FROM tickets WHERE tickets.id = files.ticket_id)$$);
SELECT suite_visible('ticket_notes', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = ticket_notes.ticket_id)$$);
SELECT suite_visible('activities', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = activities.ticket_id)$$);
SELECT suite_visible('categories', $$TRUE$$);
SELECT suite_visible('users', $$TRUE$$);
SELECT suite_visible('settings', $$(SELECT suite_is_staff())$$);
SELECT suite_visible('mailboxes', $$(SELECT suite_is_staff())$$);
SELECT suite_visible('parked_mails', $$(SELECT suite_is_staff())$$);
SELECT suite_visible('blocked_senders', $$(SELECT suite_is_staff())$$);
SELECT suite_visible_to_nobody('discarded_files');
SELECT suite_visible_to_nobody('number_counters');
SELECT suite_visible_to_nobody('mail_messages');
SELECT suite_assert_visibility(ARRAY['tickets', 'replies', 'files', 'ticket_notes', 'activities', 'categories', 'users', 'settings', 'mailboxes', 'parked_mails', 'blocked_senders', 'discarded_files', 'number_counters', 'mail_messages']);
