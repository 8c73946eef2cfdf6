-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.
SELECT suite_visible('tickets', $$CASE (SELECT suite_reach('ticket')) WHEN 'all' THEN tickets.deleted_at IS NULL WHEN 'own' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'team' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'client' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) WHEN 'vendor' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) ELSE FALSE END$$);
SELECT suite_visible('replies', $$(EXISTS (SELECT FROM tickets WHERE tickets.id = replies.ticket_id) OR EXISTS (SELECT FROM tickets WHERE tickets.id = replies.thread_id))$$);
SELECT suite_visible('files', $$(EXISTS (SELECT FROM tickets WHERE tickets.id = files.ticket_id) OR EXISTS (SELECT FROM tickets WHERE tickets.id = files.thread_id))$$);
SELECT suite_visible('ticket_links', $$EXISTS (SELECT FROM tickets WHERE tickets.id = ticket_links.ticket_id)$$);
SELECT suite_visible('ticket_notes', $$(SELECT suite_is_staff()) AND (EXISTS (SELECT FROM tickets WHERE tickets.id = ticket_notes.ticket_id) OR EXISTS (SELECT FROM tickets WHERE tickets.id = ticket_notes.thread_id))$$);
SELECT suite_visible('note_files', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM ticket_notes WHERE ticket_notes.id = note_files.note_id)$$);
SELECT suite_visible('activities', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = activities.ticket_id)$$);
SELECT suite_visible('mails', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = mails.ticket_id)$$);
SELECT suite_visible('ticket_counts', $$CASE (SELECT suite_reach('ticket')) WHEN 'all' THEN TRUE WHEN 'own' THEN (ticket_counts.side = 'requester' AND ticket_counts.user_id = (SELECT suite_actor_id())) WHEN 'team' THEN (ticket_counts.side = 'requester' AND ticket_counts.user_id = (SELECT suite_actor_id())) WHEN 'client' THEN (ticket_counts.side = 'requester' AND ticket_counts.user_id = (SELECT suite_actor_id())) WHEN 'vendor' THEN (ticket_counts.side = 'requester' AND ticket_counts.user_id = (SELECT suite_actor_id())) ELSE FALSE END$$);
SELECT suite_visible('ticket_figures', $$CASE (SELECT suite_reach('ticket')) WHEN 'all' THEN TRUE ELSE FALSE END$$);
SELECT suite_visible('categories', $$TRUE$$);
SELECT suite_visible('users', $$TRUE$$);
SELECT suite_visible('settings', $$(SELECT suite_is_staff())$$);
SELECT suite_visible('canned_replies', $$(SELECT suite_is_staff())$$);
SELECT suite_visible('ticket_tags', $$(SELECT suite_is_staff())$$);
SELECT suite_visible_to_nobody('discarded_files');
SELECT suite_visible_to_nobody('number_counters');
SELECT suite_assert_visibility(ARRAY['tickets', 'replies', 'files', 'ticket_links', 'ticket_notes', 'note_files', 'activities', 'mails', 'ticket_counts', 'ticket_figures', 'categories', 'users', 'settings', 'canned_replies', 'ticket_tags', 'discarded_files', 'number_counters']);
