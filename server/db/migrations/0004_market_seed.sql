CREATE TABLE "market_seeds" (
	"seed" text PRIMARY KEY NOT NULL
);
