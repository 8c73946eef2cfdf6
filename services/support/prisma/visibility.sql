-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.
SELECT suite_visible('tickets', $$CASE (SELECT suite_reach('ticket')) WHEN 'all' THEN tickets.deleted_at IS NULL WHEN 'own' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'team' THEN (tickets.deleted_at IS NULL AND (tickets.requester_user_id = (SELECT suite_actor_id()) OR tickets.assignee_id = ANY ((SELECT suite_people('ticket'))::uuid[]))) WHEN 'client' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) WHEN 'vendor' THEN (tickets.deleted_at IS NULL AND tickets.requester_user_id = (SELECT suite_actor_id())) ELSE FALSE END$$);
SELECT suite_visible('replies', $$EXISTS (SELECT FROM tickets WHERE tickets.id = replies.ticket_id)$$);
SELECT suite_visible('files', $$EXISTS (SELECT FROM tickets WHERE tickets.id = files.ticket_id)$$);
SELECT suite_visible('ticket_notes', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = ticket_notes.ticket_id)$$);
SELECT suite_visible('activities', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM tickets WHERE tickets.id = activities.ticket_id)$$);
SELECT suite_visible('faqs', $$CASE (SELECT suite_reach('faq')) WHEN 'all' THEN TRUE WHEN 'own' THEN (faqs.active OR faqs.created_by = ANY ((SELECT suite_people('faq'))::uuid[])) WHEN 'team' THEN (faqs.active OR faqs.created_by = ANY ((SELECT suite_people('faq'))::uuid[])) WHEN 'client' THEN faqs.active WHEN 'vendor' THEN faqs.active ELSE FALSE END$$);
SELECT suite_visible('articles', $$CASE (SELECT suite_reach('article')) WHEN 'all' THEN TRUE WHEN 'own' THEN (articles.status = 'published' OR articles.author_id = ANY ((SELECT suite_people('article'))::uuid[])) WHEN 'team' THEN (articles.status = 'published' OR articles.author_id = ANY ((SELECT suite_people('article'))::uuid[])) WHEN 'client' THEN articles.status = 'published' WHEN 'vendor' THEN articles.status = 'published' ELSE FALSE END$$);
SELECT suite_visible('article_counts', $$EXISTS (SELECT FROM articles WHERE articles.id = article_counts.article_id)$$);
SELECT suite_visible('article_slugs', $$EXISTS (SELECT FROM articles WHERE articles.id = article_slugs.article_id)$$);
SELECT suite_visible('article_views', $$EXISTS (SELECT FROM articles WHERE articles.id = article_views.article_id)$$);
SELECT suite_visible('article_votes', $$EXISTS (SELECT FROM articles WHERE articles.id = article_votes.article_id)$$);
SELECT suite_visible('article_revisions', $$(SELECT suite_is_staff()) AND EXISTS (SELECT FROM articles WHERE articles.id = article_revisions.article_id)$$);
SELECT suite_visible('categories', $$TRUE$$);
SELECT suite_visible('users', $$TRUE$$);
SELECT suite_visible('settings', $$(SELECT suite_is_staff())$$);
SELECT suite_visible_to_nobody('discarded_files');
SELECT suite_visible_to_nobody('number_counters');
SELECT suite_assert_visibility(ARRAY['tickets', 'replies', 'files', 'ticket_notes', 'activities', 'faqs', 'articles', 'article_counts', 'article_slugs', 'article_views', 'article_votes', 'article_revisions', 'categories', 'users', 'settings', 'discarded_files', 'number_counters']);
