// Writes docs/openapi.json: `node apps/api/openapi/write.ts`.
import { writeFileSync } from "node:fs";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { openApiDocument } from "./document.ts";

/** Where `npm start` listens. The running service shows its own address. */
const LOCAL = "http://127.0.0.1:3000";
const file = new URL("../../../docs/openapi.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(openApiDocument(createEndpoints(dealTypes()), LOCAL), null, 2)}\n`);
