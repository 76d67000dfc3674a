-- compatible from: 4
-- Whose a session is at the company's provider, as the hash of issuer and subject; null for a link.

alter table console_session add column person text;
