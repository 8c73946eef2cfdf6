# Replaces the image of NATS on a machine without a registry: the package of Debian.
FROM localhost/suite-debian
RUN apt-get update && apt-get install --yes --no-install-recommends nats-server && rm -rf /var/lib/apt/lists/*
ENTRYPOINT ["nats-server"]
